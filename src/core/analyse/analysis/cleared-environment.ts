import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { UNSET } from '../state/variable.js'
import type { Analysis } from './analysis.js'

/** Returns the environment that a program passes on: `env -i` removes all variables, `env -u X` removes one. */
export function environmentPassedBy(analysis: Analysis, state: State, program: string, args: readonly Arg[]): State {
  if (program === 'env' || program === 'genv') return clearedByEnv(analysis, state, args)
  return program === 'setpriv' && args.some((arg) => /^--res/.test(arg.text ?? ''))
    ? withoutEnvironment(analysis, state)
    : state
}

export function withoutEnvironment(analysis: Analysis, state: State): State {
  const { env, inherited = [] } = analysis.input
  const names = [...state.variables.names(), ...inherited.map(([name]) => name), ...env.map(([name]) => name), 'HOME']
  analysis.budget.add(2 * names.length)
  const fork = without(state, names)
  for (const name of state.definitions.exportedFunctions()) fork.definitions.setFunction(name, null)
  return fork
}

function without(state: State, names: readonly string[]): State {
  const fork = state.fork()
  for (const name of names) if (name !== 'PATH') fork.variables.set(name, UNSET)
  return fork
}

const VALUED = 'CSau'

function clearedByEnv(analysis: Analysis, state: State, args: readonly Arg[]): State {
  const names: string[] = []
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (text === '-' || /^--ignore-e/.test(text)) return withoutEnvironment(analysis, state)
    const long = /^--uns?e?t?(?:=(.*))?$/s.exec(text)
    if (long) names.push(long[1] ?? args[++i]?.text ?? '')
    else if (!/^-[^-]/.test(text)) {
      if (!text.startsWith('--') || text === '--') break
    } else {
      const at = [...text].findIndex((letter, j) => j > 0 && VALUED.includes(letter))
      if (text.slice(1, at < 0 ? undefined : at).includes('i')) return withoutEnvironment(analysis, state)
      if (at < 0) continue
      const value = text.slice(at + 1) || args[++i]?.text
      if (text[at] === 'u') names.push(value ?? '')
    }
  }
  return names.length === 0 ? state : without(state, names)
}
