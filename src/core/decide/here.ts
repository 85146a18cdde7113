import type { Invocation } from '../model/facts.js'

/** Names of this machine, and of the services that stand beside a container of the same project. */
const LOCAL =
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1|\[::1\]|host\.docker\.internal|db|database|postgres|postgresql|pg|mysql|mariadb|redis|cache|mongo|mongodb|kafka|broker|rabbitmq|nats|minio|localstack|\/.*|)$/i

export const isLocalHost = (host: string): boolean => LOCAL.test(host)

const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?,\s]*)/i

/** The host of an address, with or without a scheme, a user, a port and a path. */
export const hostOf = (address: string): string => ADDRESS.exec(address)?.[1] ?? ''

/** What follows one of these options, or stands in the same word with it, as an address. */
export function optionValues({ argv }: Invocation, options: RegExp): readonly string[] {
  return argv.flatMap((argument, i) => {
    if (typeof argument !== 'string') return []
    const [option, inline] = [options.exec(argument)?.[0], argument]
    if (option === undefined) return []
    const rest = inline.slice(option.length).replace(/^=/, '')
    const next = argv[i + 1]
    return rest === '' ? (typeof next === 'string' ? [next] : []) : [rest]
  })
}

/** Is there an address on the line, and is every one of them this machine's? */
export function namesHereOnly(part: Invocation, options: RegExp): boolean {
  const values = optionValues(part, options)
  return values.length > 0 && values.every((value) => value.split(',').every((one) => isLocalHost(hostOf(one))))
}

/** Engines of containers of this machine, by the names their makers give them. */
export const isOwnEngine = (name: string): boolean =>
  /^(?:default|desktop-linux|colima(?:-\w+)?|orbstack|rancher-desktop|rootless|lima-\w+)$/.test(name)
