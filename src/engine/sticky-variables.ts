import { checkValue } from '../core/model/basics/check-value.js'
import { Variables } from '../core/model/run/run-input.js'
import { fieldOf } from './tasks/caller-events.js'

/** Variables that every later request of an engine gets; its own `env` comes last. */
export interface StickyVariables {
  /** Adds variables, or replaces those of the same name. Throws INVALID_ARGUMENTS for a name or value that is none. */
  set(variables: Readonly<Record<string, string>>): void
  get(): Readonly<Record<string, string>>
  clear(): void
}

/** `applied` returns the options of a request with the variables added. */
export function createStickyVariables(): StickyVariables & { applied(options: unknown): unknown } {
  let held: Readonly<Record<string, string>> = {}
  return {
    set(variables) {
      held = { ...held, ...checkValue(Variables, variables, 'env') }
    },
    get: () => held,
    clear() {
      held = {}
    },
    applied(options) {
      const own = fieldOf(options, 'env')
      const isUsable = options === undefined || (typeof options === 'object' && options !== null)
      if (Object.keys(held).length === 0 || !isUsable || (own !== undefined && typeof own !== 'object')) return options
      return { ...options, env: { ...held, ...own } }
    },
  }
}
