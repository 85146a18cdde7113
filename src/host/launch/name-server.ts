import type { Socket } from 'node:net'
import type { ListedNames } from './listed-names.js'
import { type Answer, answerTo, type Question, questionIn } from './name-question.js'

const IDLE_MS = 10_000
/** One question is at most this long, its length before it. */
const STREAM_BYTES = 2 + 512
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

  /** A connection on which questions come with their lengths before them. */
  serve(client: Socket): void {
    let held = Buffer.alloc(0)
    client.setTimeout(IDLE_MS, () => client.destroy())
    client.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk])
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
        const end = 2 + held.readUInt16BE(0)
        void this.#replyOn(client, held.subarray(2, end))
        held = held.subarray(end)
      }
      if (held.length > STREAM_BYTES) client.destroy()
    })
  }

  async #replyOn(client: Socket, message: Buffer): Promise<void> {
    const answer = await this.reply(message)
    if (answer === null) client.destroy()
    else if (client.writable)
      client.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]))
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
