import { spawnSync } from 'node:child_process'
import { readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { grounds } from './binary.js'

const ROOT = resolve(import.meta.dirname, '../..')
const newGround = grounds()

const script = (path: string, args: readonly string[], { workspace, env }: ReturnType<typeof newGround>) =>
  spawnSync(path, args, { cwd: workspace, env, encoding: 'utf8', timeout: 60_000 })

describe('script/cordon', () => {
  it("is the command line, quiet when set up, in the caller's own directory", () => {
    const ground = newGround()
    script(join(ROOT, 'script/cordon'), ['--version'], ground)
    const { status, stdout, stderr } = script(join(ROOT, 'script/cordon'), ['run', '--', 'pwd'], ground)
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: `${ground.workspace}\n`, stderr: '' })
  })

  it('hands every argument and the exit status through, and can be linked to', () => {
    const ground = newGround()
    const link = join(ground.root, 'cordon')
    symlinkSync(join(ROOT, 'script/cordon'), link)
    const { status, stdout } = script(link, ['exec', '--', 'printf', '%s|', 'a b', '', '$x'], ground)
    expect([status, stdout]).toEqual([0, 'a b||$x|'])
    expect(script(link, ['run', 'exit 7'], ground).status).toBe(7)
  })
})

describe('script/setup', () => {
  it('says what to do when node is missing or too old', () => {
    const ground = newGround()
    const shadow = join(ground.root, 'bin')
    spawnSync('bash', [
      '-c',
      'mkdir "$1" && printf "#!/bin/sh\\ncase \\$1 in --version) echo v18.0.0;; *) exit 1;; esac\\n" > "$1/node" && chmod +x "$1/node"',
      'bash',
      shadow,
    ])
    const { status, stderr } = script(join(ROOT, 'script/setup'), [], {
      ...ground,
      env: { ...ground.env, PATH: `${shadow}:${ground.env.PATH}` },
    })
    expect([status, stderr]).toEqual([125, 'cordon setup: node v18.0.0 is too old. Install Node.js 20.19 or newer.\n'])
  })
})

describe('script/demo', () => {
  it('tells the whole story and leaves nothing behind', () => {
    const ground = newGround()
    const left = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('cordon-demo.'))
    const before = left()
    const { status, stdout } = script(join(ROOT, 'script/demo'), [], ground)
    expect(status).toBe(0)
    for (const part of [
      'hello\nEROFS',
      'Command not allowed: sudo',
      'Command timed out after 1s',
      'No sleep is left running.',
    ]) {
      expect(stdout).toContain(part)
    }
    expect(stdout).toMatch(/timeout .*\n.*blocked .*\n.*success/)
    expect(stdout).toContain('the chain is whole')
    expect(left()).toEqual(before)
  })
})
