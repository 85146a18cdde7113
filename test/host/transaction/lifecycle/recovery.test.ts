import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { spareName } from '../../../../src/host/transaction/undo-store/spare-name.js'
import { bundled } from '../support/bundled.js'
import { overlayWorkspace } from '../support/overlay-run.js'

let home: string
let child: string
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-recovery-')))
  child = await bundled('dying-child.ts', join(home, 'child.mjs'), true)
})
afterAll(() => removeTree(home))

let space: ReturnType<typeof overlayWorkspace>
beforeEach(() => {
  space = overlayWorkspace()
})
afterEach(() => space.remove())

const storePath = (): string => join(space.state, 'undo-store')
const inStore = (): readonly string[] => (existsSync(storePath()) ? readdirSync(storePath()) : [])

/** True when it died, false when it came to its end first. */
async function dies(action: 'run' | 'die' | 'recover', at = 0): Promise<boolean> {
  const plan = JSON.stringify(space.plan('mkdir -p made/deep; chmod 0 made/deep; echo more >> a.txt; exit 3'))
  try {
    await promisify(execFile)(process.execPath, [child, space.state, action, plan, `${at}`])
    return false
  } catch (error) {
    if ((error as { signal?: unknown }).signal === 'SIGKILL') return true
    throw error
  }
}

/** Returns the files left after a late recovery that discards the restored changes. */
async function leftLater(): Promise<readonly string[]> {
  const longAgo = new Date('2020-01-01')
  for (const name of inStore()) utimesSync(join(storePath(), name), longAgo, longAgo)
  await space.transactions.recover()
  const restored = space.transactions.history().filter(({ state }) => state === 'rolled-back')
  for (const { id } of restored) await space.transactions.settle(id, 'discard')
  const open = space.transactions.history().filter(({ state }) => state === 'running' || state === 'applying')
  return [...open.map(({ id, state }) => `${id} is ${state}`), ...inStore()]
}

describe('recovery', () => {
  it('leaves nothing of an engine that was killed before a call that changes the disk', async () => {
    let at = 1
    // Neighbours are much alike: one of three.
    for (; await dies('run', at); at += 3) expect([at, await leftLater()]).toEqual([at, []])
    expect(at).toBeGreaterThan(40)
  }, 120_000)

  it('leaves nothing either when the engine that cleaned up was killed before any such call', async () => {
    const diesTwice = async (at: number) => (await dies('die')) && (await dies('recover', at))
    let at = 1
    for (; await diesTwice(at); at += 1) expect([at, await leftLater()]).toEqual([at, []])
    expect(at).toBeGreaterThan(5)
  }, 120_000)

  it('takes a process that was given the number of a killed engine for what it is: another', async () => {
    const [theirs, ours] = [spareName({ pid: process.pid, started: 'before' }), spareName()]
    for (const name of [theirs, ours]) mkdirSync(join(storePath(), name, '0/upper'), { recursive: true })
    expect(await leftLater()).toEqual([ours])
  })

  it('goes on when something cannot be removed, and removes it when it can be', async () => {
    expect(await dies('die')).toBe(true)
    const [id = ''] = inStore()
    const user = process.geteuid?.() === 0 ? [] : ['--user', '--map-root-user']
    const script = 'mount -t tmpfs none "$1" && shift && exec "$@"'
    const busy = ['sh', join(storePath(), id, '0/upper'), process.execPath, child, space.state, 'recover']
    await promisify(execFile)('unshare', [...user, '--mount', 'sh', '-c', script, ...busy])
    expect(inStore()).toEqual([id])
    expect(space.transactions.history()).toMatchObject([{ id, state: 'interrupted' }])
    expect(await leftLater()).toEqual([])
  })
})
