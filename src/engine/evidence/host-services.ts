import type { Evidence } from '../../core/model/run/evidence.js'
import type { Facts } from '../../core/model/run/facts.js'

/** Programs that do nothing without a socket of the host, and whose it is. */
const SERVICES: ReadonlyMap<string, string> = new Map([
  ...['docker', 'docker-compose', 'docker-buildx'].map((name) => [name, "Docker's"] as const),
  ...['ctr', 'nerdctl', 'crictl'].map((name) => [name, "containerd's"] as const),
  ...['lxc', 'incus', 'virsh', 'snap'].map((name) => [name, "its daemon's"] as const),
  ...['ssh-add', 'gpg-connect-agent'].map((name) => [name, "the agent's"] as const),
  ...['systemctl', 'loginctl', 'hostnamectl', 'timedatectl', 'machinectl'].map((name) => [name, "systemd's"] as const),
  ...['busctl', 'dbus-send', 'gdbus', 'notify-send', 'nmcli'].map((name) => [name, "the message bus's"] as const),
  ...['xclip', 'xsel', 'wl-copy', 'wl-paste', 'xdotool'].map((name) => [name, "the display's"] as const),
])

/** Explains a failure of programs that need a socket of the host: those are out of reach in a sandbox. */
export function unreachableServices({ invocations }: Facts): readonly Evidence[] {
  const named = new Set(invocations.map(({ program }) => program ?? ''))
  return [...named].flatMap((program): Evidence[] => {
    const whose = SERVICES.get(program)
    return whose === undefined ? [] : [{ kind: 'host-service', program, whose }]
  })
}

const SYSTEM_PACKAGES =
  /^(?:apt|apt-get|aptitude|nala|dpkg|yum|dnf|microdnf|zypper|pacman|apk|rpm|emerge|xbps-install)$/
const CHANGES =
  /^(?:install|reinstall|remove|purge|erase|update|upgrade|safe-upgrade|dist-upgrade|full-upgrade|autoremove|build-dep|add|del|localinstall|groupinstall|makecache|refresh|-S[a-z]*|-[RU][a-z]*|-i|--install|--configure)$/
const ONLY_SHOWS =
  /^(?:-s|--simulate|--just-print|--dry-run|--print-uris|--download-only|-d|--help|-h|--version|--root=.*|--root)$/

/** Explains a failure of package managers of the system: a sandbox only reads the system. */
export function systemPackages({ invocations }: Facts): readonly Evidence[] {
  const changing = invocations.filter(({ program, argv: [, ...args] }) => {
    const has = (words: RegExp): boolean => args.some((arg) => typeof arg === 'string' && words.test(arg))
    return SYSTEM_PACKAGES.test(program ?? '') && has(CHANGES) && !has(ONLY_SHOWS)
  })
  return [...new Set(changing.map(({ program }) => program ?? ''))].map((program) => ({
    kind: 'system-packages',
    program,
  }))
}
