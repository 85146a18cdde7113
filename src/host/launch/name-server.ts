import type { ListedNames } from './listed-names.js'
import { type Answer, answerTo, type Question, questionIn } from './name-question.js'

/** Names that were refused are told once, and no more of them than this. */
const MAX_TOLD = 256
/** What programs look up about addresses, on their own, to print it. */
const ADDRESS_NAMES = /\.arpa$/

/**
 * Answers what is asked inside a wall, from the list alone: nothing is looked up outside, so names carry nothing out. A listed name has an
 * address that stands for it; whatever else there could be to a name is not there.
 */
export class NameServer {
  readonly #names: ListedNames
  readonly #search: readonly string[]
  readonly #isThere: (name: string) => Promise<boolean>
  readonly #onRefused: (name: string) => void
  readonly #told = new Set<string>()

  /** `search`: domains that resolvers add to names by themselves. `isThere`: whether a name that has leave leads anywhere outside. */
  constructor(
    names: ListedNames,
    search: readonly string[],
    { isThere, onRefused }: { isThere(name: string): Promise<boolean>; onRefused(name: string): void },
  ) {
    this.#names = names
    this.#search = search
    this.#isThere = isThere
    this.#onRefused = onRefused
  }

  /** The answer to a message; null where there is none. */
  async reply(message: Buffer): Promise<Buffer | null> {
    const question = questionIn(message)
    return question === null || Buffer.isBuffer(question) ? question : answerTo(question, await this.#answer(question))
  }

  async #answer({ name, wantsAddress }: Question): Promise<Answer> {
    // Were a wrong guess of the resolver's a name, programs would never come to ask for the right one.
    if (this.#isGuess(name) && this.#names.isListed(name) && !(await this.#isThere(name))) return 'no such name'
    const found = this.#names.addressOf(name)
    if (typeof found === 'object') return wantsAddress ? found : 'nothing'
    this.#tell(name)
    return found === 'too many' ? 'failure' : 'no such name'
  }

  /** A name with a domain added may be the resolver's idea, not the program's. */
  #isGuess(name: string): boolean {
    return this.#search.some((domain) => name.endsWith(`.${domain}`))
  }

  #tell(name: string): void {
    if (this.#isGuess(name) || ADDRESS_NAMES.test(name) || this.#told.has(name) || this.#told.size >= MAX_TOLD) return
    this.#told.add(name)
    this.#onRefused(name)
  }
}
