import { analyse } from '../../src/core/analyse/analyse.js'
import { type Answers, type Facts, type Invocation, noAnswers } from '../../src/core/model/facts.js'

const read = (script: string, index: number, answers: Answers): ReturnType<typeof analyse> =>
  analyse(
    { mode: 'shell', script },
    { cwd: `/tmp/s${String(index).padStart(5, '0')}`, home: '/tmp/home', env: [['PATH', '/mnt/shims']] },
    answers,
  )

/** The facts of a script as the oracle runs it. */
export const factsOf = (script: string, index = 0): Facts => read(script, index, noAnswers()).facts

/** The same once it is known that no script it names can be read. */
export function factsWithoutScripts(script: string): Facts {
  const answers = noAnswers()
  for (const question of read(script, 0, answers).questions) {
    if (question.ask === 'script') answers.scripts.set(question.path, null)
  }
  return read(script, 0, answers).facts
}

/** Does an invocation say that this was executed? What it does not know stands for any number of arguments. */
export function says(invocation: Invocation, executed: readonly string[]): boolean {
  const [program, ...args] = executed
  return invocation.program === program && covers(invocation.argv.slice(1), args)
}

function covers(argv: Invocation['argv'], args: readonly string[]): boolean {
  const [first, ...rest] = argv
  if (first === undefined) return args.length === 0
  if (typeof first === 'string') return args[0] === first && covers(rest, args.slice(1))
  return args.some((_, i) => covers(rest, args.slice(i))) || covers(rest, [])
}

/** What was executed although the facts neither list it nor say that something there cannot be known. What a program starts by itself is no excuse. */
export const missed = (facts: Facts, executed: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  facts.opaque.some(({ inherent }) => !inherent)
    ? []
    : executed.filter((argv) => !facts.invocations.some((i) => says(i, argv)))

/** The same, with an opaque spot as no excuse. */
export const unseen = (facts: Facts, executed: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  executed.filter((argv) => !facts.invocations.some((i) => says(i, argv)))
