import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach } from 'vitest'
import { type Cordon, type CordonOptions, createCordon } from '../../../src/node.js'

/** A person with a home, a project in it and a state directory elsewhere. */
export interface Person {
  readonly home: string
  readonly workspace: string
  readonly state: string
  /** Writes a file, given relative to the home. */
  write(path: string, text?: string, mode?: number): void
  open(options?: CordonOptions): Promise<Cordon>
}

/** Makes people for the tests of a file; each is removed after its test. */
export function people(): (settings?: string) => Person {
  const open: Cordon[] = []
  const roots: string[] = []
  afterEach(async () => {
    for (const cordon of open.splice(0)) await cordon.close()
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })
  return (settings = '') => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-person-')))
    roots.push(root)
    const home = join(root, 'home/u')
    const workspace = join(home, 'projects/app')
    const state = join(root, 'state')
    mkdirSync(workspace, { recursive: true })
    const write: Person['write'] = (path, text = '', mode = 0o644) => {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), text, { mode })
    }
    if (settings !== '') write('.config/cordon/cordon.toml', settings)
    return {
      home,
      workspace,
      state,
      write,
      async open(options = {}) {
        const env = { PATH: process.env['PATH'], HOME: home, USER: 'u', LANG: 'C.UTF-8' }
        const cordon = await createCordon({ workspace, stateDirectory: state, env, ...options })
        open.push(cordon)
        return cordon
      },
    }
  }
}

/** Everything below a directory: names, kinds, modes, and contents. */
export function snapshot(directory: string, except: readonly string[] = []): readonly string[] {
  return readdirSync(directory)
    .sort()
    .flatMap((name) => {
      const path = join(directory, name)
      if (except.includes(path)) return []
      const stats = lstatSync(path)
      const line = `${path} ${stats.mode.toString(8)}`
      if (stats.isSymbolicLink()) return `${line} -> ${readlinkSync(path)}`
      if (stats.isDirectory()) return [line, ...snapshot(path, except)]
      return stats.isFile() ? `${line} ${readFileSync(path, 'latin1')}` : line
    })
}
