import type { Answers } from '../../core/model/run/facts.js'

/** Remembers the keys that were looked up before they had a value. */
class TrackedMap<Value> extends Map<string, Value> {
  readonly #missed = new Set<string>()

  override get(key: string): Value | undefined {
    const value = super.get(key)
    if (value === undefined) this.#missed.add(key)
    return value
  }

  /** Adds entries. Returns true where one of them was looked up before. */
  addAll(entries: Iterable<readonly [string, Value]>): boolean {
    let wasMissed = false
    for (const [key, value] of entries) {
      this.set(key, value)
      if (this.#missed.delete(key)) wasMissed = true
    }
    return wasMissed
  }
}

type Answer<Kind extends keyof Answers> = NonNullable<Answers[Kind]> extends Map<string, infer Value> ? Value : never

/** Collects answers and remembers which of them an analysis looked up before they were there. */
export class TrackedAnswers implements Answers {
  readonly paths = new TrackedMap<Answer<'paths'>>()
  readonly programs = new TrackedMap<string | null>()
  readonly scripts = new TrackedMap<string | null>()
  readonly syntax = new TrackedMap<number>()
  readonly remotes = new TrackedMap<Answer<'remotes'>>()

  /** Adds answers. Returns true where an analysis looked for one of them: only then can another analysis differ. */
  add({ paths, programs, scripts, syntax = new Map(), remotes = new Map() }: Answers): boolean {
    const missed = [
      this.paths.addAll(paths),
      this.programs.addAll(programs),
      this.scripts.addAll(scripts),
      this.syntax.addAll(syntax),
      this.remotes.addAll(remotes),
    ]
    return missed.includes(true)
  }
}
