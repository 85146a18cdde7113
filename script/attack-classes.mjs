/** The attack suites by class: files below test/, and what each class tries. */
export const CLASSES = [
  [
    'writing, reading and escaping from the sandbox',
    [
      'attacks/sandbox/sandbox',
      'attacks/sandbox/holes',
      'attacks/files/home-workspace',
      'attacks/files/odd-workspaces',
      'attacks/sandbox/environment',
      'attacks/processes/threads',
      'attacks/sandbox/bind-race',
      'attacks/sandbox/cloned-sandboxes',
    ],
  ],
  [
    'reading what a profile closes',
    [
      'attacks/files/outside-reads',
      'attacks/files/path-rules',
      'attacks/files/unread-writes',
      'attacks/git/hidden-files-in-git',
      'attacks/files/secrets',
    ],
  ],
  [
    'the kernel: system calls, limits, memory',
    [
      'attacks/sandbox/kernel-attacks',
      'host/launch/limits/limits',
      'host/launch/limits/memory-limit',
      'host/launch/limits/disk-limit',
    ],
  ],
  ['processes that outlive their command or the engine', ['attacks/processes/kill', 'attacks/processes/engine-killed']],
  [
    'network beyond the list of hosts',
    [
      'attacks/network/network',
      'attacks/network/network-without-proxy',
      'attacks/network/network-tools',
      'attacks/network/network-lifetime',
      'attacks/network/no-network',
      'attacks/network/own-loopback',
      'host/launch/network/proxy',
      'host/launch/network/dns-server',
    ],
  ],
  ['sockets of the host', ['attacks/network/unix-sockets']],
  [
    'denied programs in obfuscated commands',
    ['attacks/sandbox/evasions', 'attacks/sandbox/masks', 'oracle/obfuscations', 'core/analyse/programs/escapes'],
  ],
  [
    'repositories and settings that run programs',
    [
      'attacks/git/repository-changes',
      'attacks/git/interrupted-git',
      'attacks/git/tool-settings',
      'attacks/git/crowded-repositories',
      'host/launch/protect/planted-repositories',
      'host/launch/protect/protected-paths',
      'core/git',
    ],
  ],
  ['the home of the person', ['attacks/files/private-home', 'host/private-home']],
  [
    'transactions, undo and replaced directories',
    [
      'host/transaction/lifecycle/hostile',
      'host/transaction/lifecycle/replaced-directory',
      'host/transaction/undo-store/journal',
      'host/transaction/lifecycle/recovery',
    ],
  ],
  [
    'files and bytes that the engine reads',
    ['host/untrusted-files', 'attacks/files/locked-workspace', 'attacks/processes/engine-serves-others', 'fuzz'],
  ],
  [
    'approvals, settings and the audit log',
    ['host/approve', 'host/audit/tampering', 'host/settings', 'engine/approval-basis'],
  ],
]
