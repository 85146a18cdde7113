import { isLoopbackHost } from '../../model/basics/loopback.js'
import type { Invocation } from '../../model/run/facts.js'
import type { DecideInput } from './input.js'

/** Names of this host, and of service containers of the same project. */
const LOCAL =
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1|\[::1\]|host\.docker\.internal|db|database|postgres|postgresql|pg|mysql|mariadb|redis|cache|mongo|mongodb|kafka|broker|rabbitmq|nats|minio|localstack|\/.*|)$/i

export const isLocalHost = (host: string): boolean => LOCAL.test(host)

const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?,\s]*)/i

/** The host of an address, with or without a scheme, a user, a port and a path. */
export const hostOf = (address: string): string => ADDRESS.exec(address)?.[1] ?? ''

/** Returns the values of these options, from the same word or the next one. */
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

/** Reports whether the command line names addresses and all of them are local. */
export function namesOnlyLocalHosts(part: Invocation, options: RegExp): boolean {
  const values = optionValues(part, options)
  return values.length > 0 && values.every((value) => value.split(',').every((one) => isLocalHost(hostOf(one))))
}

/** Reports whether a context name belongs to a local container engine. */
export const isOwnEngine = (name: string): boolean =>
  /^(?:default|desktop-linux|colima(?:-\w+)?|orbstack|rancher-desktop|rootless|lima-\w+)$/.test(name)

/**
 * Reports whether a host is the private loopback of the sandbox. The launcher opens a host port only if the profile
 * lists it.
 */
export const isOwnLoopback = (host: string, { profile }: DecideInput): boolean =>
  profile.sandbox === 'required' && isLoopbackHost(host)
