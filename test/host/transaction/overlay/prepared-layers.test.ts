import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import { createBubblewrap, type SandboxLauncher } from '../../../../src/host/launch/bubblewrap.js'
import { createTransactions } from '../../../../src/host/transaction/transactions.js'
import {
  launchAndCollect,
  pathsOf,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../../contract/launcher-plan.js'

const GRANT = { digest: '', by: 'policy', approval: null } as const
const PATIENCE_MS = 60_000
/** Tells from inside whether this sandbox was warm. */
const WAS_WARM = 'grep -q "c .[$]BASH_EXECUTION_STRING" /proc/1/cmdline && echo warm || echo cold'

let top: string
let workspace: string
let launcher: SandboxLauncher
let ready: (() => void) | null
let transactions: ReturnType<typeof createTransactions>
beforeEach(() => {
  top = temporaryDirectory()
  workspace = `${top}/work`
  mkdirSync(`${workspace}/kept/deep`, { recursive: true })
  writeFileSync(`${workspace}/kept/deep/file`, 'old\n')
  launcher = createBubblewrap({ warm: 1 })
  const onReady = (plan: Plan): void => {
    launcher.prepare(plan)
    ready?.()
  }
  transactions = createTransactions({
    stateDirectory: `${top}/state`,
    ahead: { size: 1, onReady },
  })
})
afterEach(async () => {
  await transactions.close()
  await launcher.close()
  removeDirectory(top)
})

async function run(script: string): Promise<{ readonly out: string; readonly outcome: string | undefined }> {
  const paths = pathsOf({ protected: ['cordon.toml', '.git/hooks'] })
  const plan = planOf(workspace, sandboxAround(workspace, paths), { script, transaction: 'always' })
  let out = ''
  const { report } = await transactions.during(plan, GRANT, async (actual) => {
    const heard = await launchAndCollect(launcher, actual)
    out = heard.stdout.toString() + heard.stderr.toString()
    return heard.ending
  })
  return { out, outcome: report?.outcome }
}

/** One command, and then until an overlay is mounted for the next and a shell waits in it. */
async function untilReady(): Promise<void> {
  const made = new Promise<void>((resolve) => {
    ready = resolve
  })
  await run('true')
  await made
  for (const until = Date.now() + PATIENCE_MS; !shellWaits() && Date.now() < until; ) await sleep(10)
}

const shellWaits = (): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      const isShell = readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('/bin/bash\0-c\0exec')
      return isShell && existsSync(`/proc/${pid}/root${workspace}/kept`)
    } catch {
      return false
    }
  })

describe('an overlay mounted ahead', () => {
  it('a command uses a prepared overlay with its warm sandbox, and its changes are kept', async () => {
    await untilReady()
    expect(await run(`${WAS_WARM}; echo new > kept/made; echo more >> kept/deep/file`)).toEqual({
      out: 'warm\n',
      outcome: 'committed',
    })
    expect(readFileSync(`${workspace}/kept/made`, 'utf8')).toBe('new\n')
    expect(readFileSync(`${workspace}/kept/deep/file`, 'utf8')).toBe('old\nmore\n')
  }, 120_000)

  it('shows what was made, changed, replaced and removed since it was mounted', async () => {
    for (const name of ['gone', 'turned', 'swapped']) mkdirSync(`${workspace}/${name}/in`, { recursive: true })
    await untilReady()
    writeFileSync(`${workspace}/kept/deep/file`, 'changed\n')
    writeFileSync(`${workspace}/kept/deep/made`, '')
    mkdirSync(`${workspace}/fresh/dir`, { recursive: true })
    rmSync(`${workspace}/gone`, { recursive: true })
    rmSync(`${workspace}/turned`, { recursive: true })
    writeFileSync(`${workspace}/turned`, 'a file now\n')
    renameSync(`${workspace}/swapped`, `${workspace}/away`)
    mkdirSync(`${workspace}/swapped`)
    const { out, outcome } = await run(
      `${WAS_WARM}; find . | sort; cat kept/deep/file turned; echo x > swapped/x; echo y > fresh/y; rm -r away`,
    )
    expect(out.split('\n')).toEqual([
      'warm',
      ...['.', './away', './away/in', './fresh', './fresh/dir', './kept', './kept/deep', './kept/deep/file'],
      ...['./kept/deep/made', './swapped', './turned', 'changed', 'a file now', ''],
    ])
    expect(outcome).toBe('committed')
    expect(readdirSync(workspace).sort()).toEqual(['fresh', 'kept', 'swapped', 'turned'])
    expect(readdirSync(`${workspace}/swapped`)).toEqual(['x'])
  }, 120_000)

  it('a prepared overlay is not used after a path that its sandbox mounts was created, or the root was replaced', async () => {
    await untilReady()
    writeFileSync(`${workspace}/cordon.toml`, 'mine\n')
    const { out } = await run(`${WAS_WARM}; cat cordon.toml; echo evil > cordon.toml`)
    expect(out).toMatch(/^cold\nmine\n/)
    await untilReady()
    renameSync(workspace, `${top}/before`)
    mkdirSync(`${workspace}/other`, { recursive: true })
    expect((await run(`${WAS_WARM}; ls; echo x > made`)).out).toBe('cold\nother\n')
    expect(readdirSync(workspace).sort()).toEqual(['made', 'other'])
  }, 120_000)

  it('leaves nothing behind when it is closed', async () => {
    await untilReady()
    await transactions.close()
    const left = readdirSync(`${top}/state`, { recursive: true }).filter((name) => `${name}`.includes('spare-'))
    expect(left).toEqual([])
  }, 120_000)
})
