import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type Cordon, type CordonOptions, createCordon } from '../src/node.js'

export interface Temporary {
  readonly cordon: Cordon
  readonly workspace: string
  readonly state: string
}

/** Real Cordons in workspaces of their own, closed and removed after each test of the file that calls this. */
export function temporaryCordons(): (options?: CordonOptions) => Promise<Temporary> {
  const open: Cordon[] = []
  const roots: string[] = []
  afterEach(async () => {
    for (const cordon of open.splice(0)) await cordon.close()
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })
  return async (options = {}) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-')))
    roots.push(root)
    const workspace = join(root, 'workspace')
    const home = join(root, 'home')
    const state = join(root, 'state')
    mkdirSync(workspace)
    mkdirSync(home)
    const env = {
      ...process.env,
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      XDG_STATE_HOME: join(root, 'xdg'),
    }
    const cordon = await createCordon({ workspace, stateDirectory: state, env, ...options })
    open.push(cordon)
    return { cordon, workspace, state }
  }
}
