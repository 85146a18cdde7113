import { hostRules, withoutPort } from './host-rules.js'
import { hostNamesOf } from './name-servers.js'

/** With a `*` in its list a command can ask for names without end. */
const MAX_NAMES = 4_096
/** 198.18.0.0/15 is nobody's; its first addresses are the wall's own. */
const FIRST = 0xc6120002
const OWN_NAMES = new Set(['localhost', 'cordon'])

const dotted = (number: number): string => [24, 16, 8, 0].map((bits) => (number >>> bits) & 0xff).join('.')

/** The names one command has asked for, each with an address that stands for it there and nowhere else. */
export class ListedNames {
  readonly #leaveFor: ReturnType<typeof hostRules>
  readonly #addresses = new Map<string, string>()
  readonly #names = new Map<string, string>()

  constructor(hosts: readonly string[]) {
    this.#leaveFor = hostRules(hosts.map(withoutPort))
  }

  /** Whatever its port: which of them may be reached is seen when one is. */
  isListed(name: string): boolean {
    return this.#leaveFor(name, 1).granted
  }

  /** The address for a name: the same each time. */
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

  /** What a program means by an address: the name it stands for, here or in the host's own file; or itself. */
  hostAt(address: string, namesOf: (address: string) => readonly string[] = hostNamesOf): string {
    return this.#names.get(address) ?? [address, ...namesOf(address)].find((host) => this.isListed(host)) ?? address
  }
}
