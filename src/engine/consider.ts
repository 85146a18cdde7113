import { type AnalysisContext, readerOf } from '../core/analyse/analyse.js'
import { decide, pathQuestions } from '../core/decide/decide.js'
import { deniedPrograms } from '../core/decide/denied-programs.js'
import { requestMatches } from '../core/decide/request-rules.js'
import { type Decision, strictest } from '../core/model/decision.js'
import { displayCommand } from '../core/model/display.js'
import { type Answers, type Facts, noAnswers, type Question } from '../core/model/facts.js'
import type { Profile } from '../core/model/profile.js'
import type { Request } from '../core/model/request.js'
import type { CheckedCommand, CheckedOptions } from '../core/model/run-input.js'
import type { Surroundings } from '../core/model/surroundings.js'
import { inheritedBy } from './inherited.js'
import type { Observer } from './ports.js'

/** A request that was read and decided, but not yet planned. */
export interface Considered {
  readonly request: Request
  readonly profile: Profile
  readonly surroundings: Surroundings
  readonly facts: Facts
  /** What the host said while the request was read. */
  readonly answers: Answers
  readonly decision: Decision
}

/** A script that names a script that names a script…: past this the rest stays unread, and unread is hidden. */
const ROUNDS = 4

function timeoutFor(
  asked: number | 'none' | undefined,
  mode: Request['command']['mode'],
  { timeouts }: Profile,
): number | null {
  if (asked === 'none' && timeouts.noneAllowed) return null
  const wanted =
    asked === undefined || asked === 'none' ? (mode === 'shell' ? timeouts.shellMs : timeouts.structuredMs) : asked
  return Math.round(Math.min(Math.max(wanted, 1_000), timeouts.maxMs))
}

function merge(into: Answers, more: Answers): void {
  for (const [key, value] of more.paths) into.paths.set(key, value)
  for (const [key, value] of more.programs) into.programs.set(key, value)
  for (const [key, value] of more.scripts) into.scripts.set(key, value)
  for (const [key, value] of more.syntax ?? []) into.syntax?.set(key, value)
}

const answered = (question: Question, { paths, programs, scripts, syntax }: Answers): boolean =>
  question.ask === 'path'
    ? paths.has(question.path)
    : question.ask === 'program'
      ? programs.has(question.name)
      : question.ask === 'syntax'
        ? syntax?.has(question.text) === true
        : scripts.has(question.path)

/** Reads the request, asking the host what the reading depends on. The answers come along: with them it can be decided again. */
function read(
  request: Request,
  context: AnalysisContext,
  observer: Pick<Observer, 'answer'>,
): { readonly facts: Facts; readonly answers: Answers } {
  const answers = noAnswers()
  const readWith = readerOf(request.command, context)
  let reading = readWith(answers)
  for (let round = 0; round < ROUNDS; round++) {
    const open = reading.questions.filter((question) => !answered(question, answers))
    if (open.length === 0) break
    merge(answers, observer.answer(open))
    reading = readWith(answers)
  }
  // Scripts that lead to scripts: what was never read is nothing that can be read.
  const unread = reading.questions.filter((question) => question.ask === 'script' && !answered(question, answers))
  if (unread.length > 0) {
    for (const question of unread) if (question.ask === 'script') answers.scripts.set(question.path, null)
    reading = readWith(answers)
  }
  merge(answers, observer.answer(pathQuestions(reading.facts).filter((question) => !answered(question, answers))))
  return { facts: reading.facts, answers }
}

/** request → facts → decision. `isOpen`: its input may be written to later. Throws only what makes the request itself impossible; a refusal is a decision. */
export function consider(
  id: string,
  command: CheckedCommand,
  options: CheckedOptions,
  profile: Profile,
  observer: Observer,
  isOpen = false,
): Considered {
  const text = displayCommand(command)
  const request: Request = {
    id,
    command,
    text,
    agent: options.agent ?? null,
    caller: options.caller ?? 'library',
    cwd: observer.directory(options.cwd ?? null, profile),
    timeoutMs: timeoutFor(options.timeoutMs, command.mode, profile),
    stdin: options.stdin ?? null,
    hasLiveStdin: options.relay?.stdin !== undefined,
    env: Object.entries(options.env ?? {}),
  }
  const surroundings = observer.surroundings(profile, deniedPrograms(profile), request.agent)
  const home = profile.environment.home === 'workspace' ? surroundings.workspace : surroundings.home
  const context = {
    cwd: request.cwd,
    home,
    env: request.env,
    inherited: inheritedBy(request, profile, surroundings),
    ...(isOpen || request.hasLiveStdin ? {} : { stdin: request.stdin ?? '' }),
  }
  const seen: Pick<Observer, 'answer'> = { answer: (questions) => observer.answer(questions, surroundings) }
  const { facts, answers } = read(request, context, seen)
  const decided = decide({ command, text, facts, answers, profile, surroundings, cwd: request.cwd })
  const [first, ...rest] = [...requestMatches(command, text, profile), ...decided.matches]
  return { request, profile, surroundings, facts, answers, decision: first ? strictest([first, ...rest]) : decided }
}
