import { nameOf } from './arg-parts.js'
import type { Call, Effect, Grammar, Program, Role } from './knowledge.js'

const RUNS: ReadonlySet<Role> = new Set<Role>(['shell', 'words', 'program'])

/** The options of a grammar that run what they are given. */
function runningOptions(grammar: Grammar): ReadonlySet<string> {
  const entries = [...Object.entries(grammar.values ?? {}), ...Object.entries(grammar.optional ?? {})]
  return new Set(entries.flatMap(([names, role]) => (RUNS.has(role) ? names.split(' ') : [])))
}

const NO_EFFECTS: readonly Effect[] = []
const isRunning = ({ does }: Effect): boolean => does === 'run' || does === 'shell'

function runningIn({ options }: Call, running: ReadonlySet<string>): Call['options'][number] | undefined {
  for (let i = 0; i < options.length; i++) {
    const option = options[i]
    if (option && option.value !== null && running.has(option.name)) return option
  }
  return undefined
}

function announcedGrammar(grammar: Grammar): Grammar {
  const running = runningOptions(grammar)
  const { hook } = grammar
  const announces = (call: Call): readonly Effect[] => {
    const effects = hook ? hook(call) : NO_EFFECTS
    const option = running.size === 0 ? undefined : runningIn(call, running)
    if (!option && (effects.length === 0 || !effects.some(isRunning))) return effects
    const reason = `${nameOf(call)} runs a command it is given, in its own way`
    return [...effects, { does: 'foreign', reason, at: option?.span ?? call.argv[0]?.span ?? [0, 0] }]
  }
  const subcommands = Object.entries(grammar.subcommands ?? {}).map(
    ([names, g]) => [names, announcedGrammar(g)] as const,
  )
  return {
    ...grammar,
    ...(running.size > 0 || hook ? { hook: announces } : {}),
    ...(grammar.subcommands ? { subcommands: Object.fromEntries(subcommands) } : {}),
  }
}

/**
 * A program that is no wrapper but can be told to run something puts a shell, a pipe or arguments of its own around it. What it is
 * given is read; that there is more to it is said too.
 */
export const announced = (program: Program): Program => ({ ...announcedGrammar(program), names: program.names })
