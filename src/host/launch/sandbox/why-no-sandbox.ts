import { existsSync, readFileSync } from 'node:fs'

export interface Explanation {
  readonly cause: string
  readonly fix: string
}

function setting(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return null
  }
}

export const isContainer = (): boolean =>
  existsSync('/.dockerenv') ||
  existsSync('/run/.containerenv') ||
  /docker|kubepods|containerd/.test(setting('/proc/1/cgroup') ?? '')

/** Matches bubblewrap's errors about one path of the plan, which no setting of the host or the container fixes. */
const ABOUT_A_PATH =
  /execvp|can't (?:bind|create|find|open|get type|make symlink|mkdir|read|write)|unable to (?:open|mount)/i

const isNamespaceError = (errorOutput: string): boolean =>
  !ABOUT_A_PATH.test(errorOutput) &&
  /namespace|uid map|gid map|setgroups|permission|not permitted|No permissions/i.test(errorOutput)

/** Reads the host's settings for user namespaces. Returns null if they allow them. */
export function namespaceRestriction(): Explanation | null {
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return {
      cause:
        'AppArmor forbids user namespaces to unprivileged programs (kernel.apparmor_restrict_unprivileged_userns = 1)',
      fix: "Use the distribution's /usr/bin/bwrap with its AppArmor profile (package apparmor-profiles, /etc/apparmor.d/bwrap-userns-restrict), or set that sysctl to 0.",
    }
  }
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    return {
      cause: 'the kernel forbids user namespaces to unprivileged users (kernel.unprivileged_userns_clone = 0)',
      fix: 'Run `sysctl -w kernel.unprivileged_userns_clone=1`.',
    }
  }
  if (setting('/proc/sys/user/max_user_namespaces') === '0') {
    return {
      cause: 'user namespaces are disabled (user.max_user_namespaces = 0)',
      fix: 'Run `sysctl -w user.max_user_namespaces=10000`.',
    }
  }
  return null
}

/** Derives a cause and a fix from bubblewrap's error output and the host's settings. */
export function whyNoSandbox(errorOutput: string): Explanation {
  const lastLine = errorOutput.trim().split('\n').at(-1) ?? ''
  const restriction = isNamespaceError(errorOutput) ? namespaceRestriction() : null
  if (restriction !== null) return { cause: `${restriction.cause} (${lastLine})`, fix: restriction.fix }
  if (isNamespaceError(errorOutput) && isContainer()) {
    return {
      cause: `this container forbids namespaces (${lastLine})`,
      fix: 'Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined.',
    }
  }
  if (ABOUT_A_PATH.test(lastLine)) {
    return {
      cause: lastLine,
      fix: 'Find the path in the error in the workspace or the profile. Look for a changed symlink, file or mode there.',
    }
  }
  return {
    cause: lastLine === '' ? 'bubblewrap ended without an error message' : lastLine,
    fix: 'Run `cordon doctor`.',
  }
}
