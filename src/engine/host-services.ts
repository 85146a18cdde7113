import type { Facts } from '../core/model/facts.js'

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
export function unreachableServices({ invocations }: Facts): readonly string[] {
  const named = new Set(invocations.map(({ program }) => program ?? ''))
  return [...named].flatMap((name) => {
    const whose = SERVICES.get(name)
    return whose === undefined
      ? []
      : `socket: ${name} needs a socket of the host (${whose}), and those are out of reach in the sandbox; ask a person to run it`
  })
}
