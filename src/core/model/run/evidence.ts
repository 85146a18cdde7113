/** One access that the sandbox stopped, allowed or moved away while a command ran. */
export type Evidence =
  | {
      readonly kind: 'host'
      readonly host: string
      /** Null where only its name was asked for. */
      readonly port: number | null
      readonly outcome: 'refused' | 'failed'
    }
  | { readonly kind: 'no-network' }
  /** `real`: the real path, if it differs. */
  | { readonly kind: 'read-only'; readonly path: string; readonly real?: string }
  /** The workspace is read-only, because the analyser found no writes. */
  | { readonly kind: 'no-transaction' }
  /** `file`: the hidden file that it is. Absent: it is in a hidden directory. */
  | { readonly kind: 'hidden'; readonly path: string; readonly file?: string }
  /** On the host, and not where commands look for it. */
  | { readonly kind: 'unshared'; readonly path: string }
  | { readonly kind: 'masked'; readonly program: string }
  /** A change of a protected path. `kept`: path of the command's files. Null: a symlink was restored. */
  | { readonly kind: 'protected'; readonly path: string; readonly kept: string | null }
  | { readonly kind: 'host-service'; readonly program: string; readonly whose: string }
  /** A package manager that installs for the whole machine. */
  | { readonly kind: 'system-packages'; readonly program: string }
  | { readonly kind: 'host-socket'; readonly path: string }
  | { readonly kind: 'git'; readonly did: string }
  | { readonly kind: 'unapproved'; readonly paths: readonly string[]; readonly more: number }
  /** Processes that the command left running, which ended with it. `more`: how many there were besides. */
  | {
      readonly kind: 'left-running'
      readonly processes: readonly { readonly pid: number; readonly command: string }[]
      readonly more: number
    }
  | { readonly kind: 'home-size'; readonly size: string; readonly limit: string }

/** Returns one line about the event, without a remedy. */
export function evidenceLine(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'host': {
      const { host, port, outcome } = evidence
      return `network: ${host.includes(':') ? `[${host}]` : host}${port === null ? '' : `:${port}`} ${outcome}`
    }
    case 'no-network':
      return 'network: the command tried to use it; the profile allows none'
    case 'read-only':
      return `write: ${evidence.path} read-only`
    case 'no-transaction':
      return 'write: the workspace was read-only, because the analysis found no writes in the command'
    case 'hidden':
      return `read: ${evidence.path} hidden`
    case 'unshared':
      return `read: ${evidence.path} is on the host and not shared with commands`
    case 'masked':
      return `exec: ${evidence.program} denied`
    case 'protected':
      return `write: ${evidence.path} is protected; ${evidence.kept === null ? 'restored the symlink' : `moved the command's files to ${evidence.kept}`}`
    case 'host-service':
      return `socket: ${evidence.program} needs a socket of the host (${evidence.whose}); commands cannot reach host sockets`
    case 'system-packages':
      return `write: ${evidence.program} changes system packages, which commands cannot write`
    case 'host-socket':
      return `socket: a process opened ${evidence.path} on the host during the command, and the command could connect to it`
    case 'git':
      return `git: ${evidence.did}`
    case 'unapproved':
      return `write: did not keep changes outside the approved paths: ${evidence.paths.join(', ')}${evidence.more > 0 ? ` and ${evidence.more} more` : ''}`
    case 'left-running': {
      const named = evidence.processes.map(({ pid, command }) => `${command} (pid ${pid})`).join(', ')
      const more =
        evidence.more > 0 ? `${named === '' ? '' : ' and '}${evidence.more} ${named === '' ? 'processes' : 'more'}` : ''
      return `processes: ended with the command: ${named}${more}`
    }
    case 'home-size':
      return `home: the private home and its /tmp use ${evidence.size}, more than limits.home_bytes (${evidence.limit})`
  }
}
