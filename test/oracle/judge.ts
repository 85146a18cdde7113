import { analyse } from '../../src/core/analyse/analyse.js'
import { type Answers, type Facts, type Invocation, noAnswers } from '../../src/core/model/run/facts.js'

const read = (script: string, index: number, answers: Answers): ReturnType<typeof analyse> =>
  analyse(
    { mode: 'shell', script },
    { cwd: `/tmp/s${String(index).padStart(5, '0')}`, home: '/tmp/home', env: [['PATH', '/mnt/shims']] },
    answers,
  )

/** Returns the facts of a script as the oracle runs it. */
export const factsOf = (script: string, index = 0): Facts => read(script, index, noAnswers()).facts

/** Returns the facts after the host answered that no script can be read. */
export function factsWithoutScripts(script: string): Facts {
  const answers = noAnswers()
  for (const question of read(script, 0, answers).questions) {
    if (question.ask === 'script') answers.scripts.set(question.path, null)
  }
  return read(script, 0, answers).facts
}

/** Tells whether an invocation matches an executed command. An unknown argument matches any number of arguments. */
export function matchesExecuted(invocation: Invocation, executed: readonly string[]): boolean {
  const [program, ...args] = executed
  return invocation.program === program && covers(invocation.argv.slice(1), args)
}

function covers(argv: Invocation['argv'], args: readonly string[]): boolean {
  const [first, ...rest] = argv
  if (first === undefined) return args.length === 0
  if (typeof first === 'string') return args[0] === first && covers(rest, args.slice(1))
  return args.some((_, i) => covers(rest, args.slice(i))) || covers(rest, [])
}

/**
 * Returns executed commands that are neither listed nor covered by a report. Implied programs of a program do not
 * count.
 */
export const missed = (facts: Facts, executed: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  facts.opaque.some(({ inherent }) => !inherent)
    ? []
    : executed.filter((argv) => !facts.invocations.some((i) => matchesExecuted(i, argv)))

/** Returns executed commands that are not listed, even if a report covers them. */
export const unlisted = (facts: Facts, executed: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  executed.filter((argv) => !facts.invocations.some((i) => matchesExecuted(i, argv)))
