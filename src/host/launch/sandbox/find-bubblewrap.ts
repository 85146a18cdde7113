import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import type { Capabilities } from '../../../core/model/policy/plan.js'

/**
 * Only the system's own directories: a project's `bwrap` on PATH would not be a sandbox. /usr/bin comes first, because
 * the AppArmor profile of Ubuntu 24.04 and later covers that path alone.
 */
const PATHS: readonly string[] = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]
const OLDEST: readonly [number, number] = [0, 8]
const INSTALL =
  'Install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap), or run `cordon doctor`.'

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

const versionOf = (path: string): string | undefined =>
  /(\d+\.\d+\S*)/.exec(spawnSync(path, ['--version'], { env: {}, encoding: 'utf8' }).stdout ?? '')?.[1]

/** Finds the installed bubblewrap, without testing that it works. */
export function findBubblewrap(paths: readonly string[] = PATHS): Capabilities {
  if (process.platform !== 'linux') {
    return {
      sandbox: 'none',
      cause: 'the sandbox needs Linux',
      fix: 'Run Cordon on Linux, for example in a virtual machine or WSL 2. `cordon check` and rules work here.',
    }
  }
  const path = paths.find(isExecutable)
  if (path === undefined) return { sandbox: 'none', cause: 'bubblewrap is not installed', fix: INSTALL }
  const version = versionOf(path)
  if (version === undefined) return { sandbox: 'none', cause: `${path} does not run`, fix: INSTALL }
  if (isNewEnough(version)) return { sandbox: 'bubblewrap', version, path }
  return {
    sandbox: 'none',
    cause: `bubblewrap ${version} at ${path} is older than ${OLDEST.join('.')}, the oldest supported version`,
    fix: `Install bubblewrap ${OLDEST.join('.')} or newer.`,
  }
}
