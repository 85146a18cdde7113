import type { ResourceLimits } from '../../../core/model/policy/plan.js'
import { kernelFile } from '../process/read-kernel-file.js'

interface Rlimit {
  /** Option of bash's `ulimit`, and the bytes of its unit. */
  readonly ulimit: string
  readonly unit: number
  readonly prlimit: string
  /** Row of /proc/self/limits. */
  readonly row: string
  readonly value: (limits: ResourceLimits) => number | null
  /** Distance above the limit at which the kernel kills with a signal that names no reason. */
  readonly headroom?: number
}

/** The kernel counts threads here and the profile counts processes, so this limit only backs up the watcher. */
const THREADS_PER_PROCESS = 4
const MAX_SPARE_TASKS = 256

/** Returns the kernel's limit of a command's tasks, threads included. */
export const maxTasks = ({ processes }: ResourceLimits): number | null =>
  processes === null ? null : Math.min(processes * THREADS_PER_PROCESS, processes + MAX_SPARE_TASKS)

const RLIMITS: readonly Rlimit[] = [
  { ulimit: 'n', unit: 1, prlimit: 'nofile', row: 'Max open files', value: ({ openFiles }) => openFiles },
  { ulimit: 't', unit: 1, prlimit: 'cpu', row: 'Max cpu time', value: ({ cpuSeconds }) => cpuSeconds, headroom: 1 },
  { ulimit: 'f', unit: 1024, prlimit: 'fsize', row: 'Max file size', value: ({ fileBytes }) => fileBytes },
  {
    ulimit: 'u',
    unit: 1,
    prlimit: 'nproc',
    row: 'Max processes',
    value: maxTasks,
  },
]

/**
 * Reads the hard limits of this process, which no child may raise. Reads them for every command, because they can
 * change from outside.
 */
function hardLimits(): ReadonlyMap<string, number> {
  const rows = kernelFile('/proc/self/limits').split('\n').slice(1)
  return new Map(
    rows.flatMap((row) => {
      const [, name = '', , hard = ''] = /^(.+?)\s{2,}(\S+)\s+(\S+)/.exec(row) ?? []
      return name === '' ? [] : [[name, hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)] as const]
    }),
  )
}

function wanted(limits: ResourceLimits): { readonly limit: Rlimit; readonly value: number }[] {
  const asked = RLIMITS.flatMap((limit) => {
    const value = limit.value(limits)
    return value === null ? [] : { limit, value }
  })
  if (asked.length === 0) return []
  const hard = hardLimits()
  return asked.map(({ limit, value }) => ({ limit, value: Math.min(value, hard.get(limit.row) ?? value) }))
}

function ulimitLine({ limit, value }: { readonly limit: Rlimit; readonly value: number }): string {
  const units = Math.max(1, Math.floor(value / limit.unit))
  return `ulimit -S${limit.ulimit} ${units}; ulimit -H${limit.ulimit} ${units + (limit.headroom ?? 0)}`
}

/** Returns lines of bash that set the limits for good, or null if there are none. */
export function ulimitLines(limits: ResourceLimits): string | null {
  const lines = wanted(limits).map(ulimitLine)
  return lines.length === 0 ? null : `{ ulimit -c 0; ${lines.join('; ')}; } 2>/dev/null`
}

/** Returns a command line prefix that sets the limits, empty if there are none. */
export function prlimitPrefix(limits: ResourceLimits): readonly string[] {
  const options = wanted(limits).map(
    ({ limit, value }) => `--${limit.prlimit}=${value}:${value + (limit.headroom ?? 0)}`,
  )
  return options.length === 0 ? [] : ['/usr/bin/prlimit', '--core=0', ...options, '--']
}
