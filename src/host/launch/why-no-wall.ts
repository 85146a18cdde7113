import { existsSync, readFileSync } from 'node:fs'

export interface Explained {
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

const isNamespaceTrouble = (said: string): boolean =>
  /namespace|uid map|gid map|setgroups|permission|not permitted|No permissions/i.test(said)

/** What the host's settings say about user namespaces, or null when they allow them. */
export function namespaceRestriction(): Explained | null {
  if (setting('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1') {
    return {
      cause:
        'AppArmor lets no unprivileged program make user namespaces (kernel.apparmor_restrict_unprivileged_userns = 1)',
      fix: "Use the distribution's /usr/bin/bwrap together with its AppArmor profile (package apparmor-profiles, /etc/apparmor.d/bwrap-userns-restrict), or set that sysctl to 0.",
    }
  }
  if (setting('/proc/sys/kernel/unprivileged_userns_clone') === '0') {
    return {
      cause: 'the kernel lets no ordinary user make user namespaces (kernel.unprivileged_userns_clone = 0)',
      fix: 'Run: sysctl -w kernel.unprivileged_userns_clone=1.',
    }
  }
  if (setting('/proc/sys/user/max_user_namespaces') === '0') {
    return {
      cause: 'user namespaces are switched off (user.max_user_namespaces = 0)',
      fix: 'Run: sysctl -w user.max_user_namespaces=10000.',
    }
  }
  return null
}

/** From bubblewrap's own complaint and the host's settings to a cause and a fix. */
export function whyNoWall(said: string): Explained {
  const complaint = said.trim().split('\n').at(-1) ?? ''
  const restriction = isNamespaceTrouble(said) ? namespaceRestriction() : null
  if (restriction !== null) return { cause: `${restriction.cause} (${complaint})`, fix: restriction.fix }
  if (isNamespaceTrouble(said) && isContainer()) {
    return {
      cause: `this container does not let programs make namespaces (${complaint})`,
      fix: 'Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined.',
    }
  }
  return {
    cause: complaint === '' ? 'bubblewrap ended without saying why' : complaint,
    fix: 'Run `cordon doctor` to find out more.',
  }
}
