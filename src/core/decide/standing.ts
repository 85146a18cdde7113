import type { Profile, Rule } from '../model/profile.js'
import type { Builtin } from './builtin.js'
import { builtinsFor } from './builtins.js'
import { effectName } from './effect-rule.js'
import { EFFECTS } from './effects.js'
import { isNetworkProgram } from './network-matches.js'
import { indexRules, type Naming, namingOf, type RuleIndex } from './rule-matches.js'

/** All that is said of a program by its name alone, whatever it is given. */
export interface Standing {
  /** Rules of the profile that name it. */
  readonly rules: Naming
  /** Effects that ask by default, likewise. */
  readonly effects: Naming
  /** Denials that no rule lifts, likewise. */
  readonly builtins: readonly Builtin[]
  readonly isNetwork: boolean
}

/** Programs whose standing is remembered. A script can name any number of them. */
const REMEMBERED = 2_048

/** What a profile says of programs, looked up once for each of them: most commands are by a program of which it says nothing. */
export class Standings {
  /** Rules over what a whole request says. */
  readonly actions: readonly Rule[]
  readonly #rules: RuleIndex
  readonly #effects: RuleIndex
  readonly #known = new Map<string | null, Standing>()

  constructor({ rules }: Profile, removed: ReadonlySet<string>) {
    this.#rules = indexRules(rules)
    this.#effects = indexRules(EFFECTS.filter((effect) => !removed.has(effectName(effect))))
    this.actions = rules.filter(({ action }) => action !== null)
  }

  readonly builtinsOf = (program: string): readonly Builtin[] => this.of(program).builtins

  of(program: string | null): Standing {
    const known = this.#known.get(program)
    if (known !== undefined) return known
    const standing = {
      rules: namingOf(program, this.#rules),
      effects: namingOf(program, this.#effects),
      builtins: builtinsFor(program),
      isNetwork: isNetworkProgram(program),
    }
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    this.#known.set(program, standing)
    return standing
  }
}
