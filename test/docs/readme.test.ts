import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { escapeArg } from '../../src/core/model/run/safe-command.js'
import { blocks, page, ROOT, rows } from './markdown.js'

interface Step {
  readonly command: string
  readonly shown: string
}

/** Printed after every command, so that the output of a block can be taken apart. */
const SEPARATOR = '\u001e'

/** `$ ` starts a command, and what follows up to the next one is its output. */
const steps = (console: string): readonly Step[] =>
  console
    .split(/^\$ /m)
    .slice(1)
    .map((text) => ({ command: text.slice(0, text.indexOf('\n')), shown: text.slice(text.indexOf('\n') + 1) }))

/** `…` stands for anything inside a line, and alone on a line for any lines. */
const pattern = (shown: string): RegExp => {
  const literal = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replaceAll(/^…\n/gm, '(?:.*\\n)*').replaceAll('…', '.*')}$`)
}

describe('the README', () => {
  const readme = page('README.md')
  let root = ''

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'cordon-readme-'))
    for (const name of ['bin', 'home', 'project']) mkdirSync(join(root, name))
    writeFileSync(join(root, 'home/.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n')
    mkdirSync(join(root, 'home/.ssh'))
    writeFileSync(join(root, 'home/.ssh/id_ed25519'), 'a key\n')
    const shim = `#!/bin/sh\nexec ${escapeArg(process.execPath)} ${escapeArg(join(ROOT, 'dist/bin.cjs'))} "$@"\n`
    writeFileSync(join(root, 'bin/cordon'), shim)
    chmodSync(join(root, 'bin/cordon'), 0o755)
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const outputs = (commands: readonly string[]): readonly string[] => {
    const script = commands
      .map((command) => `${command}\nstatus=$?; printf '${SEPARATOR}'; (exit "$status")`)
      .join('\n')
    const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
      cwd: join(root, 'project'),
      encoding: 'utf8',
      timeout: 30_000,
      env: {
        PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
        HOME: join(root, 'home'),
        XDG_STATE_HOME: join(root, 'state'),
        NO_COLOR: '1',
      },
    })
    return stdout.split(SEPARATOR).slice(0, -1)
  }

  const consoles = blocks(readme).filter(({ language }) => language === 'console')

  it('shows a run, a refusal and a record', () => {
    const commands = consoles.flatMap(({ text }) => steps(text)).map(({ command }) => command)
    for (const verb of ['run', 'exec', 'check', 'audit']) {
      expect(commands.filter((command) => command.startsWith(`cordon ${verb} `))).not.toEqual([])
    }
  })

  it.each(consoles.map(({ text }) => [text.split('\n')[0] ?? '', text]))(
    '%s and what follows is as shown',
    (_title, text) => {
      const shown = steps(text)
      const real = outputs(shown.map(({ command }) => command))
      expect(real).toHaveLength(shown.length)
      for (const [i, step] of shown.entries()) expect(real[i], step.command).toMatch(pattern(step.shown))
    },
  )

  it('names every built-in profile in its table, and no other', () => {
    const names = rows(readme.slice(readme.indexOf('## Profiles'))).map(([name = '']) => /`(.+?)`/.exec(name)?.[1])
    const listed = outputs(['cordon profiles --names'])[0]?.trim().split('\n')
    expect([...names].sort()).toEqual([...(listed ?? [])].sort())
  })

  it('names only commands the command line has', () => {
    const named = rows(readme).flatMap(([cell = '']) =>
      [...cell.matchAll(/`cordon (\w+)/g)].map(([, name = '']) => name),
    )
    const help = outputs(['cordon --help'])[0] ?? ''
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !new RegExp(`^  ${name}\\b`, 'm').test(help))).toEqual([])
  })

  it('shows an MCP set-up that parses', () => {
    const json = blocks(readme).find(({ language }) => language === 'json')
    expect(JSON.parse(json?.text ?? '')).toMatchObject({ mcpServers: { cordon: { args: ['mcp'] } } })
  })
})
