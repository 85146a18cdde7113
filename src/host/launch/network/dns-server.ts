import { type Answer, answerTo, type Question, questionIn } from './dns-message.js'
import type { ListedNames } from './listed-names.js'

/** Most refused names that are reported, each once. */
const MAX_REPORTED = 256
/** Names that programs look up for addresses by themselves, in order to print them. */
const ADDRESS_NAMES = /\.arpa$/

/**
 * Answers queries inside a sandbox from the list alone. It looks nothing up outside, so a name carries no data out. A
 * listed name gets a substitute address and no other record.
 */
export class NameServer {
  readonly #names: ListedNames
  readonly #search: readonly string[]
  readonly #resolves: (name: string) => Promise<boolean>
  readonly #onRefused: (name: string) => void
  readonly #reported = new Set<string>()

  /** `search` lists the domains that resolvers append to names. `isThere` tells if an allowed name resolves outside. */
  constructor(
    names: ListedNames,
    search: readonly string[],
    { resolves, onRefused }: { resolves(name: string): Promise<boolean>; onRefused(name: string): void },
  ) {
    this.#names = names
    this.#search = search
    this.#resolves = resolves
    this.#onRefused = onRefused
  }

  /** Returns the answer to a message, or null without one. */
  async reply(message: Buffer): Promise<Buffer | null> {
    const question = questionIn(message)
    return question === null || Buffer.isBuffer(question) ? question : answerTo(question, await this.#answer(question))
  }

  async #answer({ name, wantsAddress }: Question): Promise<Answer> {
    // If a wrong guess of the resolver got an address, programs would never ask for the right name.
    if (this.#isGuess(name) && this.#names.isListed(name) && !(await this.#resolves(name))) return 'no such name'
    const found = this.#names.addressOf(name)
    if (typeof found === 'object') return wantsAddress ? found : 'nothing'
    this.#report(name)
    return found === 'too many' ? 'failure' : 'no such name'
  }

  /** Tells if the resolver may have appended a domain to the program's name. */
  #isGuess(name: string): boolean {
    return this.#search.some((domain) => name.endsWith(`.${domain}`))
  }

  #report(name: string): void {
    if (
      this.#isGuess(name) ||
      ADDRESS_NAMES.test(name) ||
      this.#reported.has(name) ||
      this.#reported.size >= MAX_REPORTED
    )
      return
    this.#reported.add(name)
    this.#onRefused(name)
  }
}
