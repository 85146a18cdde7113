import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ResourceLimits } from '../../../../src/core/model/policy/plan.js'
import { type BubblewrapOptions, createBubblewrap } from '../../../../src/host/launch/bubblewrap.js'
import { type CgroupTree, cgroupTrees } from '../../../../src/host/launch/limits/cgroup-trees.js'
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

const PATIENCE_MS = 60_000

let workspace: string
beforeEach(() => {
  workspace = temporaryDirectory()
})
afterEach(() => removeDirectory(workspace))

const trees = cgroupTrees()
const counting = trees.filter(({ controllers }) => controllers.includes('pids'))
/** Acts as if no thread could enter a cgroup by itself, so programs wait at a gate until they are moved. */
const gated = counting.map((tree): CgroupTree => ({ ...tree, version: 2, controllers: ['pids'] }))
/** Ways to a cgroup that this host offers to this user. Root has some, an ordinary user seldom any. */
const ways: [string, BubblewrapOptions][] =
  counting.length === 0
    ? []
    : [
        ['started in it', {}],
        ['moved into it', { cgroups: gated }],
        ['waiting in it, a copy', { warm: 1 }],
        ['waiting in it, built where there is no Perl', { warm: 1, perl: '/nonexistent/perl' }],
      ]

const left = (): string[] =>
  trees.flatMap(({ at }) => readdirSync(at).filter((name) => name.startsWith(`cordon-${process.pid}-`)))
const killedBy = (limit: string) => ({ how: 'killed', signal: 'SIGKILL', by: 'limit', limit })

type Run = (
  script: string,
  limits: Partial<ResourceLimits>,
  io?: Parameters<typeof launchAndCollect>[2],
) => ReturnType<typeof launchAndCollect>

async function withLauncher<T>(options: BubblewrapOptions, use: (run: Run) => Promise<T>): Promise<T> {
  const launcher = createBubblewrap(options)
  const run: Run = (script, limits, io) => {
    const over = { script, limits: { ...plainProfile.limits, ...limits } }
    return launchAndCollect(launcher, planOf(workspace, sandboxAround(workspace), over), io)
  }
  try {
    return await use(run)
  } finally {
    await launcher.close()
  }
}

/** Returns the cgroups of a command's init at its first output. The command continues only then. */
async function groupsWhenRunning(run: Run): Promise<string> {
  let pid = 0
  let groups = ''
  await run(
    'rm -f go; echo up; until [[ -e go ]]; do sleep 0.02; done',
    { processes: 60 },
    {
      onStart: (running) => {
        pid = running.pid
      },
      onChunk: () => {
        groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
        writeFileSync(`${workspace}/go`, '')
      },
    },
  )
  return groups
}

describe('a command in its cgroup', () => {
  it.each(ways)('a command is in its cgroup before it starts: %s', async (_how, options) => {
    await withLauncher(options, async (run) => {
      for (let round = 0; round < 3; round += 1) {
        expect(await groupsWhenRunning(run)).toMatch(/^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:.*\/cordon-|^0::.*\/cordon-/m)
      }
    })
    expect(left()).toEqual([])
  })

  it.each(ways)(
    'a fork bomb in its cgroup is killed alone: %s',
    async (_how, options) => {
      const seconds = unusualSeconds()
      await withLauncher(options, async (run) => {
        await run('true', { processes: 60 })
        const bomb = run(`bomb() { sleep ${seconds} & bomb | bomb & }; bomb; wait`, { processes: 60 })
        const other = await run('for i in 1 2 3; do sleep 0.1; echo $i; done', { processes: 60 })
        expect((await bomb).ending).toEqual(killedBy('processes (60)'))
        expect(other.stdout.toString()).toBe('1\n2\n3\n')
      })
      expect(processesNaming(seconds)).toEqual([])
      expect(left()).toEqual([])
    },
    PATIENCE_MS,
  )

  it("a command's cgroup leaves the engine in its own", async () => {
    const before = readFileSync('/proc/self/cgroup', 'utf8')
    await withLauncher({}, (run) => run('true', { processes: 60, memoryBytes: 128 << 20 }))
    expect(readFileSync('/proc/self/cgroup', 'utf8')).toBe(before)
  })
})

describe('memory', () => {
  const hog = 'a=$(head -c 60000000 /dev/zero | tr "\\0" x); b=$a$a$a$a$a$a; sleep 300'

  it.each<[string, BubblewrapOptions]>([
    ['held by the kernel where it can be', {}],
    ['watched from outside', { cgroups: [] }],
  ])(
    'memory in a cgroup is limited over the whole tree: %s',
    async (_how, options) => {
      await withLauncher(options, async (run) => {
        expect((await run(hog, { memoryBytes: 128 << 20 })).ending).toEqual(killedBy('memory (128 MiB)'))
        const small = '(a=$(head -c 40000000 /dev/zero | tr "\\0" x); sleep 300) &'
        const many = await run(`${small} ${small} ${small} ${small} wait`, { memoryBytes: 100 << 20 })
        expect(many.ending).toEqual(killedBy('memory (100 MiB)'))
      })
      expect(left()).toEqual([])
    },
    PATIENCE_MS,
  )

  it(
    'the result names the memory limit even if a child exceeded it',
    async () => {
      const child = `bash -c '${hog}'; exit 3`
      const { ending } = await withLauncher({}, (run) => run(child, { memoryBytes: 128 << 20 }))
      expect(ending).toEqual(killedBy('memory (128 MiB)'))
    },
    PATIENCE_MS,
  )
})

describe('directories of cgroups', () => {
  const unified = (root: string): string => `30 24 0:26 ${root} ${workspace} rw - cgroup2 cgroup2 rw\n`
  const group = (path: string, control: string): void => {
    mkdirSync(`${workspace}${path}`, { recursive: true })
    writeFileSync(`${workspace}${path}/cgroup.subtree_control`, control)
    writeFileSync(`${workspace}${path}/cgroup.procs`, '')
  }

  it('cgroups are made beside our own, in the nearest one that delegates controllers', () => {
    group('', 'pids memory')
    group('/user.slice', 'cpu memory pids')
    group('/user.slice/session.scope', '')
    const [tree, ...others] = cgroupTrees(unified('/'), '0::/user.slice/session.scope\n')
    expect(tree).toMatchObject({ at: `${workspace}/user.slice`, version: 2, controllers: ['pids', 'memory'] })
    expect(others).toEqual([])
  })

  it('no cgroup is made if none above delegates controllers', () => {
    group('', 'cpu io')
    group('/container', '')
    expect(cgroupTrees(unified('/'), '0::/container\n')).toEqual([])
  })

  it("cgroups are found from a container's view of the tree", () => {
    group('', 'pids')
    group('/own', '')
    expect(cgroupTrees(unified('/docker/1'), '0::/docker/1/own\n')).toMatchObject([{ at: workspace, version: 2 }])
  })

  it('in version 1, cgroups are made in each tree below our own', () => {
    group('/mine', '')
    const mounts = `30 24 0:26 / ${workspace} rw - cgroup cgroup rw,memory\n`
    const own = `${workspace}/mine`
    expect(cgroupTrees(mounts, '4:memory:/mine\n8:pids:/\n0::/\n')).toEqual([
      { at: own, own, version: 1, controllers: ['memory'] },
    ])
  })
})
