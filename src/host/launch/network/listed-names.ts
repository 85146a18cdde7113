import { hostRules, withoutPort } from './host-rules.js'
import { hostNamesOf } from './resolver-settings.js'

/** Most names of one command. With `*` in its list a command could ask for unlimited names. */
const MAX_NAMES = 4_096
/** First substitute address. 198.18.0.0/15 is not routed; its first addresses are the sandbox's own. */
const FIRST = 0xc6120002
const OWN_NAMES = new Set(['localhost', 'cordon'])

const dotted = (number: number): string => [24, 16, 8, 0].map((bits) => (number >>> bits) & 0xff).join('.')

/** Names that one command has asked for, each with a substitute address that is valid in its network only. */
export class ListedNames {
  readonly #permissionFor: ReturnType<typeof hostRules>
  readonly #addresses = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(hosts: readonly string[]) {
    this.#permissionFor = hostRules(hosts.map(withoutPort))
  }

  /** Tells if a name is listed with any port. The port is checked at connect. */
  isListed(name: string): boolean {
    return this.#permissionFor(name, 1).granted
  }

  /** Returns the substitute address of a name, the same each time. */
  addressOf(name: string): { readonly address: string } | 'unlisted' | 'too many' {
    if (OWN_NAMES.has(name)) return { address: '127.0.0.1' }
    if (!this.isListed(name)) return 'unlisted'
    const known = this.#addresses.get(name)
    if (known !== undefined) return { address: known }
    if (this.#addresses.size >= MAX_NAMES) return 'too many'
    const address = dotted(FIRST + this.#addresses.size)
    this.#addresses.set(name, address)
    this.#names.set(address, name)
    return { address }
  }

  /** Returns the name that an address stands for, here or in the host's own file, or the address itself. */
  hostAt(address: string, namesOf: (address: string) => readonly string[] = hostNamesOf): string {
    return this.#names.get(address) ?? [address, ...namesOf(address)].find((host) => this.isListed(host)) ?? address
  }
}
