import type { Span } from '../model/span.js'

/** So many are compared one by one faster than they are looked up. */
const FEW = 8

/** Facts of one kind, each once. Only what stands at one place can be the same, and few places have more than one. */
export class Distinct<T extends { readonly span: Span }> {
  readonly list: T[]
  readonly #same: (a: T, b: T) => boolean
  readonly #key: (fact: T) => string
  #first: Map<number, T> | null = null
  #others: Map<number, Set<string>> | null = null

  constructor(first: T, same: (a: T, b: T) => boolean, key: (fact: T) => string) {
    this.list = [first]
    this.#same = same
    this.#key = key
  }

  /** Adds a fact; false where it is there already. */
  add(fact: T): boolean {
    const { list } = this
    if (list.length < FEW) {
      for (let i = 0; i < list.length; i++) if (this.#same(list[i] as T, fact)) return false
    } else if (!this.#isNew(fact)) return false
    list.push(fact)
    return true
  }

  #isNew(fact: T): boolean {
    if (this.#first === null) {
      this.#first = new Map()
      for (const other of this.list) this.#isNew(other)
    }
    const at = fact.span[0]
    const first = this.#first.get(at)
    if (first === undefined) {
      this.#first.set(at, fact)
      return true
    }
    return !this.#same(first, fact) && this.#isNewAt(at, this.#key(fact))
  }

  /** Everything in `eval` stands at one place: there facts are told apart by a key. */
  #isNewAt(at: number, key: string): boolean {
    this.#others ??= new Map()
    const keys = this.#others.get(at)
    if (keys?.has(key)) return false
    if (keys) keys.add(key)
    else this.#others.set(at, new Set([key]))
    return true
  }
}
