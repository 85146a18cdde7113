import { lstatSync, realpathSync } from 'node:fs'
import type { BubblewrapSandbox, Mount, Plan } from '../../../core/model/policy/plan.js'
import type { LaunchIo } from '../../../engine/ports/ports.js'
import { hostResolver } from '../network/resolver-settings.js'
import { isShell } from '../sandbox/shell-plan.js'
import { ENV_PROGRAM, SCRIPT_BYTES, scriptOf, waitingPlan } from './waiting-shell.js'

const SHELL = '/bin/bash'

/** Command to run, and its sandbox. */
export interface SandboxRequest {
  readonly plan: Plan
  readonly sandbox: BubblewrapSandbox
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

/** Returns the shell that waits for this plan: the plan's own, so that it has the same name. */
export const shellOf = (plan: Plan): string => (scriptOf(plan) === null ? SHELL : (plan.argv[0] ?? SHELL))

/**
 * Returns a key of everything a sandbox is built from and a waiting shell cannot change. Mounts count by their
 * identity. A replaced file or a new directory of the same name gives another key, because an earlier sandbox still
 * shows the old one.
 */
export function buildKey({ plan, sandbox }: SandboxRequest): string {
  const places = sandbox.mounts.map((mount) => identity(sourceOf(mount)))
  // A network of listed hosts answers in place of the host's name servers.
  const resolver = typeof sandbox.network === 'object' ? hostResolver() : null
  return `${JSON.stringify(sandbox)} ${JSON.stringify([plan.limits, resolver, places])}`
}

/** Returns a key of requests that can share warm sandboxes while nothing on the host changes. */
export const poolKey = ({ plan, sandbox }: SandboxRequest): string =>
  `${JSON.stringify(sandbox)} ${JSON.stringify(plan.limits)} ${startOf(plan)}`

const sourceOf = (mount: Mount): string => ('from' in mount ? mount.from : mount.at)

function isHidden(path: string, { mounts }: BubblewrapSandbox): boolean {
  const names = new Set([path, realpathSync(path)])
  return mounts.some(({ op, at }) => (op === 'mask' || op === 'hide-file') && names.has(at))
}

const isConnected = (stdin: LaunchIo['stdin']): boolean => typeof stdin === 'object' && 'connect' in stdin

/** Tells if a waiting shell can run this request. */
export function canWait({ plan, sandbox, stdin, merged }: SandboxRequest): boolean {
  // A waiting shell has two output pipes, and a file as input.
  if (merged || stdin === 'open' || isConnected(stdin)) return false
  const script = scriptOf(plan)
  if (script === null) return !isShell(plan) && !isHidden(SHELL, sandbox) && !isHidden(ENV_PROGRAM, sandbox)
  return Buffer.byteLength(script) < SCRIPT_BYTES
}

/** Returns the arguments and variables of the waiting shell as a key. */
export const startOf = (plan: Plan): string => JSON.stringify([shellOf(plan), waitingPlan(plan, '').env])
