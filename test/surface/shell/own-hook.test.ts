import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startsOwnHook } from '../../../src/host/agents/own-start.js'
import { guardedHook } from '../../../src/surface/shell/own-hook.js'
import { BINARY } from '../binary.js'

const GUARD = "|| { echo 'Cordon did not answer' >&2; exit 2; }"
const line = `env -u NODE_OPTIONS timeout 8 ${BINARY} hook gemini`

describe('the line by which a hook is registered', () => {
  it('gives the words that start the hook, and nothing of the guard', () => {
    const timeout = ['timeout', '8', BINARY, 'hook', 'gemini']
    expect(guardedHook(`${line} ${GUARD}`)).toEqual(['env', '-u', 'NODE_OPTIONS', ...timeout])
    expect(guardedHook(`${timeout.join(' ')} ${GUARD}`)).toEqual(timeout)
  })

  it.each([
    ['no guard', line],
    ['a command more', `${line} ${GUARD}; sudo id`],
    ['a command before it', `sudo id && ${line} ${GUARD}`],
    ['a pipe into it', `echo '{}' | ${line} ${GUARD}`],
    ['a file as its input', `${line} < call.json ${GUARD}`],
    ['a variable before it', `CLAUDE_CODE_SHELL_PREFIX=/x/cordon-shell ${line} ${GUARD}`],
    ['another command of Cordon', `timeout 8 ${BINARY} approve 3f2c ${GUARD}`],
    ['a substitution', `timeout 8 ${BINARY} hook "$(sudo id)" ${GUARD}`],
    ['a variable set by env', `env NODE_OPTIONS=--require=/x timeout 8 ${BINARY} hook gemini ${GUARD}`],
    ['no timeout', `${BINARY} hook gemini ${GUARD}`],
    ['`and` in place of `or`', `${line} && { exit 2; }`],
  ])('with %s is a command', (_, text) => expect(guardedHook(text)).toBeNull())

  it('starts this very Cordon, directly or by this node, and no other program', () => {
    const words = (...program: readonly string[]) => [
      ...['env', '-u', 'NODE_OPTIONS', 'timeout', '8'],
      ...program,
      ...['hook', 'gemini'],
    ]
    const cordon = resolve(BINARY)
    expect(startsOwnHook(words(cordon), cordon)).toBe(true)
    expect(startsOwnHook(words(process.execPath, cordon), cordon)).toBe(true)
    expect(startsOwnHook(words('/bin/sh'), cordon)).toBe(false)
    expect(startsOwnHook(words('/bin/sh', cordon), cordon)).toBe(false)
    expect(startsOwnHook(words('--foreground', cordon), cordon)).toBe(false)
    expect(startsOwnHook(words(process.execPath, '-e', cordon), cordon)).toBe(false)
  })
})
