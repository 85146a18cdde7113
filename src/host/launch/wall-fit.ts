import { lstatSync, realpathSync } from 'node:fs'
import type { Mount, Plan, Sandbox } from '../../core/model/plan.js'
import type { LaunchIo } from '../../engine/ports.js'
import { hostResolver } from './name-servers.js'
import { ENV_PROGRAM, isShell, SCRIPT_BYTES, scriptOf, waitingPlan } from './waiting-shell.js'

const SHELL = '/bin/bash'

type BubblewrapWall = Extract<Sandbox, { kind: 'bubblewrap' }>

/** What is to be run, and in which wall. */
export interface Wanted {
  readonly plan: Plan
  readonly wall: BubblewrapWall
  readonly stdin: LaunchIo['stdin']
  readonly merged: boolean
}

function identity(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats === undefined ? '-' : `${stats.dev}:${stats.ino}`
  } catch {
    return '?'
  }
}

/** The shell a wall for this plan waits in: the plan's own, so that it is called by the same name. */
export const shellOf = (plan: Plan): string => (scriptOf(plan) === null ? SHELL : (plan.argv[0] ?? SHELL))

/**
 * Everything a wall is built from but what a waiting shell can be told. What is mounted counts by what it is, not by its name: a
 * directory that was made again, or a file replaced, is another one, and a wall built before still shows the old.
 */
export function keyOf({ plan, wall }: Wanted): string {
  const places = wall.mounts.map((mount) => identity(sourceOf(mount)))
  // A network of listed hosts answers where the host's own name servers would.
  const resolver = typeof wall.network === 'object' ? hostResolver() : null
  return `${JSON.stringify(wall)} ${JSON.stringify([plan.limits, resolver, places])}`
}

/** What those have in common that would wait in the same walls, as long as nothing on the host changes. */
export const likenessOf = ({ plan, wall }: Wanted): string =>
  `${JSON.stringify(wall)} ${JSON.stringify(plan.limits)} ${startOf(plan)}`

const sourceOf = (mount: Mount): string => ('from' in mount ? mount.from : mount.at)

function isHidden(path: string, { mounts }: BubblewrapWall): boolean {
  const names = new Set([path, realpathSync(path)])
  return mounts.some(({ op, at }) => (op === 'mask' || op === 'hide-file') && names.has(at))
}

const isConnected = (stdin: LaunchIo['stdin']): boolean => typeof stdin === 'object' && 'connect' in stdin

/** Whether a shell that waits could become what this asks for. */
export function canWait({ plan, wall, stdin, merged }: Wanted): boolean {
  // It waits with two pipes for output, and with a file for its input.
  if (merged || stdin === 'open' || isConnected(stdin)) return false
  const script = scriptOf(plan)
  if (script === null) return !isShell(plan) && !isHidden(SHELL, wall) && !isHidden(ENV_PROGRAM, wall)
  return Buffer.byteLength(script) < SCRIPT_BYTES
}

/** What a shell is started as. */
export const startOf = (plan: Plan): string => JSON.stringify([shellOf(plan), waitingPlan(plan, '').env])
