import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { type State, UNSET } from './state.js'

/** The state as a program starts others with: `env -i` takes all variables away from them, `env -u X` one. */
export function clearedBy(reading: Reading, state: State, program: string, args: readonly Arg[]): State {
  if (program === 'env' || program === 'genv') return clearedByEnv(reading, state, args)
  return program === 'setpriv' && args.some((arg) => /^--res/.test(arg.text ?? '')) ? cleared(reading, state) : state
}

/** A fork in which no variable and no function comes from outside. */
export function cleared(reading: Reading, state: State): State {
  const { env, inherited = [] } = reading.context
  const names = [...state.names(), ...inherited.map(([name]) => name), ...env.map(([name]) => name), 'HOME']
  reading.work.add(2 * names.length)
  const fork = without(state, names)
  for (const name of state.exportedFunctions()) fork.setFunction(name, null)
  return fork
}

function without(state: State, names: readonly string[]): State {
  const fork = state.fork()
  for (const name of names) if (name !== 'PATH') fork.set(name, UNSET)
  return fork
}

const VALUED = 'CSau'

function clearedByEnv(reading: Reading, state: State, args: readonly Arg[]): State {
  const names: string[] = []
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? ''
    if (text === '-' || /^--ignore-e/.test(text)) return cleared(reading, state)
    const long = /^--uns?e?t?(?:=(.*))?$/s.exec(text)
    if (long) names.push(long[1] ?? args[++i]?.text ?? '')
    else if (!/^-[^-]/.test(text)) {
      if (!text.startsWith('--') || text === '--') break
    } else {
      const at = [...text].findIndex((letter, j) => j > 0 && VALUED.includes(letter))
      if (text.slice(1, at < 0 ? undefined : at).includes('i')) return cleared(reading, state)
      if (at < 0) continue
      const value = text.slice(at + 1) || args[++i]?.text
      if (text[at] === 'u') names.push(value ?? '')
    }
  }
  return names.length === 0 ? state : without(state, names)
}
