import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import type { Evidence } from '../../../../src/core/model/run/evidence.js'
import { createBubblewrap, type SandboxLauncher } from '../../../../src/host/launch/bubblewrap.js'
import { READY_FD } from '../../../../src/host/launch/sandbox/descriptors.js'
import { createCordon } from '../../../../src/node.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  processesNaming,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
  unusualSeconds,
} from '../../../contract/launcher-plan.js'

let top: string
let workspace: string
let launcher: SandboxLauncher
beforeEach(() => {
  profile = plainProfile
  top = temporaryDirectory()
  workspace = join(top, 'workspace')
  mkdirSync(workspace)
  launcher = createBubblewrap({ warm: 0 })
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(top)
})

const planFor = (script: string): Plan => planOf(workspace, sandboxAround(workspace, profile), { script })

async function run(script: string) {
  const evidence: Evidence[] = []
  const { ending, stdout } = await launchAndCollect(launcher, planFor(script), {
    onEvidence: (one) => evidence.push(one),
  })
  return { ending, stdout: stdout.toString(), left: evidence.find(({ kind }) => kind === 'left-running') }
}

const LISTED = { ...plainProfile, network: { hosts: ['localhost:1'] } }
let profile = plainProfile

/** The first command of a launcher, a later one, and one in a sandbox that waited. */
const KINDS: readonly (readonly [string, () => Promise<void>])[] = [
  ['the first sandbox', async () => undefined],
  [
    'a sandbox that the zygote host started',
    async () => {
      await run('true')
      await run('sleep 0.1')
    },
  ],
  [
    'a sandbox that is a copy',
    async () => {
      await launcher.close()
      launcher = createBubblewrap({ warm: 1 })
      await run('true')
      expect(await launcher.whenReady(planFor('true'))).toBe('cloned')
    },
  ],
  [
    'a sandbox with listed hosts that waited',
    async () => {
      await launcher.close()
      launcher = createBubblewrap({ warm: 1 })
      profile = LISTED
      await run('true')
      expect(await launcher.whenReady(planFor('true'))).toBe('built')
    },
  ],
]

describe.each(KINDS)('a process left running in %s', (_, prepare) => {
  beforeEach(prepare)

  it('a process left running is reported by its command and its pid inside, and killed', async () => {
    const seconds = unusualSeconds()
    const { ending, stdout, left } = await run(`sleep ${seconds} & echo $!; exit 3`)
    expect(ending).toEqual({ how: 'exited', status: 3 })
    expect(left).toEqual({
      kind: 'left-running',
      processes: [{ pid: Number(stdout), command: `sleep ${seconds}` }],
      more: 0,
    })
    expect(processesNaming(seconds)).toEqual([])
  })

  it('a process left running is reported even in its own session without a parent', async () => {
    const seconds = unusualSeconds()
    const { left } = await run(`setsid -f sleep ${seconds}; true`)
    expect(left).toMatchObject({ processes: [{ command: `sleep ${seconds}` }], more: 0 })
    expect(processesNaming(seconds)).toEqual([])
  })

  it('a process that ends by itself within a moment is not reported, and its output arrives', async () => {
    expect(await run('(sleep 0.02; echo late) & echo early')).toEqual({
      ending: { how: 'exited', status: 0 },
      stdout: 'early\nlate\n',
      left: undefined,
    })
  })

  it('a command ends although the helper that holds bubblewrap answers too late', async () => {
    await run('true')
    const [helper = ''] = processesNaming(`cordon-exit-hold ${process.pid}`)
    process.kill(Number.parseInt(helper, 10), 'SIGSTOP')
    // Longer than the launcher waits for an answer, shorter than the command.
    setTimeout(() => process.kill(Number.parseInt(helper, 10), 'SIGCONT'), 1_300)
    expect((await run('sleep 2; (exit 4)')).ending).toEqual({ how: 'exited', status: 4 })
  }, 10_000)

  it('a command that leaves no process running reports none', async () => {
    expect((await run('sleep 1 & kill $!; wait; (exit 4)')).left).toBeUndefined()
  })

  it('many processes left running are counted, and shown without control characters', async () => {
    const seconds = unusualSeconds()
    const { left } = await run(
      `for i in 1 2 3 4 5 6 7 8; do bash -c 'exec -a "$(printf "x\\033[2Jy")" sleep ${seconds}' & done; sleep 0.2`,
    )
    expect(left).toMatchObject({ more: 3 })
    expect(left?.kind === 'left-running' && left.processes[0]?.command).toBe(`x [2Jy ${seconds}`)
    expect(processesNaming(seconds)).toEqual([])
  })
})

/** Tells if a shell waits for a command: it has closed the descriptor on which it reported that. */
function hasWaitingShell(): boolean {
  return readdirSync('/proc').some((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      return words.startsWith('/bin/bash\0-c\0exec ') && !existsSync(`/proc/${pid}/fd/${READY_FD}`)
    } catch {
      return false
    }
  })
}

it('a command gets a sandbox that reported before bubblewrap was known to be held', async () => {
  await launcher.close()
  launcher = createBubblewrap({ warm: 1 })
  profile = LISTED
  await run('true')
  expect(await launcher.whenReady(planFor('true'))).toBe('built')
  const [helper = ''] = processesNaming(`cordon-exit-hold ${process.pid}`)
  process.kill(Number.parseInt(helper, 10), 'SIGSTOP')
  try {
    // Takes the sandbox that waits. Another is built, and the helper does not answer for it.
    await run('true')
    while (!hasWaitingShell()) await sleep(5)
    const ended = run('echo given')
    process.kill(Number.parseInt(helper, 10), 'SIGCONT')
    expect(await ended).toMatchObject({ ending: { how: 'exited', status: 0 }, stdout: 'given\n' })
  } finally {
    process.kill(Number.parseInt(helper, 10), 'SIGCONT')
  }
}, 10_000)

it('a command that is stopped reports nothing that it left running', async () => {
  const evidence: Evidence[] = []
  const stop = new AbortController()
  const { ending } = await launchAndCollect(launcher, planFor('sleep 60 & echo up; wait'), {
    signal: stop.signal,
    onEvidence: (one) => evidence.push(one),
    onChunk: () => stop.abort(),
  })
  expect(ending).toMatchObject({ how: 'killed', by: 'caller' })
  expect(evidence).toEqual([])
})

it('without Perl a process left running ends without a report', async () => {
  await launcher.close()
  launcher = createBubblewrap({ warm: 0, perl: '/nonexistent/perl' })
  const { ending, left } = await run('sleep 60 & exit 3')
  expect(ending).toEqual({ how: 'exited', status: 3 })
  expect(left).toBeUndefined()
})

it('a process left running in a transaction is reported by the first command and by one in a sandbox that waited', async () => {
  const cordon = await createCordon({
    workspace,
    stateDirectory: join(top, 'state'),
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
  })
  try {
    for (const round of [1, 2, 3]) {
      const seconds = unusualSeconds()
      const { evidence, transaction } = await cordon.run(`echo ${round} > file; sleep ${seconds} & exit 3`)
      expect([transaction?.outcome, evidence.join()]).toEqual([
        'committed',
        expect.stringContaining(`sleep ${seconds}`),
      ])
      expect(processesNaming(seconds)).toEqual([])
    }
  } finally {
    await cordon.close()
  }
})
