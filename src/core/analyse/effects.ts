import { PLAIN_SHELL } from './builtin-print.js'
import { tableCommands } from './cron-table.js'
import { addVariable } from './environment-facts.js'
import { inherited } from './inherit.js'
import { added, runItems } from './item-effects.js'
import { performPath } from './path-effects.js'
import { addHostOf } from './path-facts.js'
import { givePositional } from './positional.js'
import { known } from './programs/arguments.js'
import { clientCommands } from './programs/database-hooks.js'
import type { Arg, Effect } from './programs/knowledge.js'
import { ENV_VARIABLE } from './programs/wrapper-hooks.js'
import type { Reading } from './reading.js'
import { runScript, runText, shellTextAt } from './shell-text.js'
import { runArguments } from './simple.js'
import { type State, scalar } from './state.js'
import { toldStatements } from './statements.js'
import { argValue, aroundOf, concat, unknown, type Value, valueArg } from './value.js'
import { lookUp } from './variables.js'

/** Carries out one effect of a known program. */
export function perform(reading: Reading, state: State, effect: Effect, by: string): void {
  switch (effect.does) {
    case 'read':
    case 'write':
    case 'delete':
      performPath(reading, state, effect, by)
      return
    case 'connect':
      addHostOf(reading, effect.host, effect.how, by)
      return
    case 'run':
      performRun(reading, state, effect)
      return
    case 'shell':
      performShell(reading, state, effect)
      return
    case 'script':
      nested(reading, state, effect.via, {}, (inner) => {
        startShell(reading, inner, effect.via)
        // What is read before anything else goes by the name of the shell.
        if (!/--(?:rcfile|init-file)/.test(effect.via)) inner.zero = argValue(effect.path)
        runScript(reading, inner, effect.path, effect.args, 'asked')
      })
      return
    case 'shell-stdin':
      performStdin(reading, state, effect)
      return
    case 'statements-stdin':
      performStatements(reading, state, effect, by)
      return
    case 'run-stdin':
      nested(reading, state, effect.via, {}, (inner) => runItems(reading, inner, effect.argv, effect.style))
      return
    case 'set':
      setVariable(reading, state, effect.assignment)
      return
    case 'foreign':
      reading.findings.spot({ kind: 'foreign', reason: effect.reason, span: effect.at ?? reading.here })
      return
    case 'unknown':
      reading.findings.spot({ kind: 'unknown', reason: effect.reason, span: effect.at ?? reading.here })
  }
}

interface Start {
  readonly assign?: readonly Arg[] | undefined
  readonly cwd?: Arg | undefined
}

/** Runs something below the program `via`: one level deeper, in a state of its own. */
function nested(reading: Reading, state: State, via: string, start: Start, run: (state: State) => void): void {
  reading.work.enter()
  const inner = inherited(reading, state)
  inner.via = [...state.via, via]
  if (start.cwd) inner.cwd = start.cwd.text === null ? null : reading.absolute(state, start.cwd.text)
  for (const assignment of start.assign ?? []) setVariable(reading, inner, assignment)
  run(inner)
  reading.work.exit()
}

/** Programs that run what they are given on another machine or in another file system. */
const ELSEWHERE =
  /^(ssh|mosh|docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl|vagrant|multipass|limactl|toolbox|distrobox|flatpak|crictl|ctr|k3s|minikube|gcloud|az|aws)( |$)/

/** What runs only for what turns up: files that are found, files that change. */
const WHEN_FOUND = /^(?:find |fd |entr\b|watchexec|reflex|onchange|inotify)/

const runsElsewhere = (via: string): boolean => ELSEWHERE.test(via) && !via.startsWith('ssh -')

function performRun(reading: Reading, state: State, effect: Extract<Effect, { does: 'run' }>): void {
  const remote = runsElsewhere(effect.via)
  const unsure = WHEN_FOUND.test(effect.via)
  if (remote) reading.remote++
  if (unsure) reading.undecided++
  const argv = effect.via === 'env -S' ? effect.argv.map((arg) => withVariable(reading, state, arg)) : effect.argv
  nested(reading, state, effect.via, effect, (inner) =>
    runArguments(reading, inner, effect.more ? [...argv, added(argv)] : argv),
  )
  if (unsure) reading.undecided--
  if (remote) reading.remote--
}

/** An argument of `env -S` with the variables in it that are exported. */
function withVariable(reading: Reading, state: State, arg: Arg): Arg {
  const pieces = arg.text?.split(ENV_VARIABLE) ?? []
  if (pieces.length < 3) return arg
  let value: Value = ''
  pieces.forEach((piece, i) => {
    const variable = i % 2 === 0 ? null : lookUp(reading, state, piece)
    value = concat(value, variable === null ? piece : variable.exported && variable.isSet ? variable.value : '')
  })
  return valueArg(value, arg.span)
}

/** A shell without a command: it reads its standard input. On another machine that is its user's business. */
function performStdin(reading: Reading, state: State, effect: Extract<Effect, { does: 'shell-stdin' }>): void {
  const whole = state.descriptors.get(0)?.input?.drain() ?? ''
  // What is not known of a table is what will run later, which is told already.
  const input = effect.isTable ? tableCommands(aroundOf(whole)) : whole
  if (typeof input === 'object' && (reading.remote > 0 || runsElsewhere(effect.via))) {
    reading.reportForeign('a shell is started elsewhere', null)
    return
  }
  reading.evaluates()
  nested(reading, state, effect.via, {}, (inner) => {
    startShell(reading, inner, effect.via)
    const [zero, ...args] = effect.args ?? []
    if (zero) inner.zero = argValue(zero)
    givePositional(inner, args)
    runText(reading, inner, input)
  })
}

/** How much of the input is looked through for commands of the client. */
const CLIENT_CHARS = 10_000

/** What a database's client makes of its input, or of a file; of the statements only those are told that change something. */
function performStatements(
  reading: Reading,
  state: State,
  { argv, client, file }: Extract<Effect, { does: 'statements-stdin' }>,
  by: string,
): void {
  const input = file ? unknown('input', 'the text of a file') : (state.descriptors.get(0)?.input?.peek() ?? '')
  const path = file ? reading.absolute(state, file.text ?? '') : typeof input === 'object' ? input.path : undefined
  const written = path ? shellTextAt(reading, path) : undefined
  if (path && written === undefined && file?.text !== null) reading.ask({ ask: 'script', path })
  const text = aroundOf(typeof written === 'string' ? written : input)
  if (text === '') return
  if (client)
    for (const effect of clientCommands(client, known(text.slice(0, CLIENT_CHARS), reading.here)))
      perform(reading, state, effect, by)
  const told = toldStatements(text, argv, path !== undefined)
  if (told === '') return
  nested(reading, state, `${by} <`, {}, (inner) => reading.invocation(inner, [...argv, known(told, reading.here)]))
}

function performShell(reading: Reading, state: State, effect: Extract<Effect, { does: 'shell' }>): void {
  const remote = runsElsewhere(effect.via)
  if (remote) reading.remote++
  else reading.evaluates()
  nested(reading, state, effect.via, effect, (inner) => {
    if (!remote && !/^\S*sh(?: -\S+)* -c$|^su -c$/.test(effect.via))
      for (const shell of effect.shell === undefined ? ANY_SHELL : [effect.shell, ...ANY_SHELL])
        reading.invocation(inner, shellArguments(effect.text, shell))
    startShell(reading, inner, effect.via)
    const [zero, ...args] = effect.args ?? []
    if (zero) inner.zero = argValue(zero)
    givePositional(inner, args)
    // dash and other plain shells run what stands behind &> as a command of its own.
    if (effect.via === 'sh -c' && /&>/.test(effect.text.head))
      reading.reportUnknown('sh may read &> otherwise than bash', null)
    runText(reading, inner, argValue(effect.text))
  })
  if (remote) reading.remote--
}

/** Also where the shell of the user is meant and nobody says which that is. */
const ANY_SHELL: readonly string[] = ['sh']

/** A program that takes a command as text starts a shell for it. */
const shellArguments = (text: Arg, shell: string): readonly Arg[] => [
  known(shell, text.span),
  known('-c', text.span),
  text,
]

/** A shell that starts reads BASH_ENV first. */
function startShell(reading: Reading, state: State, via: string): void {
  if (/^(?:sh|dash|ash|posh|busybox|ksh|mksh)\b/.test(via)) state.options = new Set([...state.options, PLAIN_SHELL])
  const file = state.get('BASH_ENV')
  if (!file?.exported || typeof file.value !== 'string' || file.value === '' || /[$`]/.test(file.value)) return
  const own = state.fork()
  runScript(reading, own, { text: file.value, head: file.value, several: false, span: reading.here }, [], 'unknown')
}

function setVariable(reading: Reading, state: State, arg: Arg): void {
  const equals = arg.head.indexOf('=')
  if (equals < 0) return
  const name = arg.head.slice(0, equals)
  const value: Value =
    arg.text === null
      ? {
          unknown: 'not known',
          source: arg.source ?? 'output',
          head: arg.head.slice(equals + 1),
          ...(arg.options === undefined ? {} : { options: arg.options.map((option) => option.slice(equals + 1)) }),
        }
      : arg.text.slice(equals + 1)
  // bash takes variables of such names for functions.
  const imported = /^BASH_FUNC_(.+)%%$/.exec(name)?.[1]
  if (imported !== undefined) {
    runText(reading, state, typeof value === 'string' ? `${imported} ${value}` : value)
    state.exportFunction(imported)
    return
  }
  const choices = typeof value === 'object' && value.options ? [...value.options, { ...value, options: [] }] : null
  if (choices) reading.hasChoices = true
  state.set(name, { ...scalar(value), choices, exported: true })
  addVariable(reading, state, name, arg.span)
}
