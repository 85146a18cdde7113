import type { Analysis } from '../analysis/analysis.js'
import { childState } from '../analysis/child-process.js'
import { PLAIN_SHELL } from '../builtins/echo-and-printf.js'
import { addVariable } from '../expand/environment-facts.js'
import { lookUp } from '../expand/variables.js'
import { addHostOf } from '../files/path-facts.js'
import { absolutePath } from '../files/physical-path.js'
import { makefileCommands } from '../programs/development/makefile.js'
import { known } from '../programs/grammar/arguments.js'
import type { Arg, Effect } from '../programs/grammar/roles.js'
import { clientCommands } from '../programs/systems/database-effects.js'
import { ENV_VARIABLE } from '../programs/wrappers/wrapper-effects.js'
import { runScript, runText, shellTextAt } from '../run/shell-text.js'
import { runArguments } from '../run/simple-command.js'
import { setPositional } from '../state/positional-parameters.js'
import type { State } from '../state/state.js'
import { scalar } from '../state/variable.js'
import { argValue, concat, templateOf, unknown, type Value, valueArg } from '../values/value.js'
import { tableCommands } from './crontab.js'
import { applyPathEffect } from './path-effects.js'
import { relevantStatements } from './sql-statements.js'
import { addedArgument, runItems } from './xargs-items.js'

/** Applies one effect of a known program. */
export function applyEffect(analysis: Analysis, state: State, effect: Effect, by: string): void {
  switch (effect.does) {
    case 'read':
    case 'write':
    case 'delete':
      applyPathEffect(analysis, state, effect, by)
      return
    case 'connect':
      addHostOf(analysis, effect.host, effect.how, by)
      return
    case 'run':
      applyRun(analysis, state, effect)
      return
    case 'shell':
      applyShell(analysis, state, effect)
      return
    case 'script':
      nested(analysis, state, effect.via, {}, (inner) => {
        startShell(analysis, inner, effect.via)
        // The shell's own name is `$0` for a file that it reads first.
        if (!/--(?:rcfile|init-file)/.test(effect.via)) setPositional(inner, [], argValue(effect.path))
        runScript(analysis, inner, effect.path, effect.args, 'asked')
      })
      return
    case 'shell-stdin':
      applyStdin(analysis, state, effect)
      return
    case 'statements-stdin':
      applyStatements(analysis, state, effect, by)
      return
    case 'run-stdin':
      nested(analysis, state, effect.via, {}, (inner) => runItems(analysis, inner, effect.argv, effect.style))
      return
    case 'set':
      setVariable(analysis, state, effect.assignment)
      return
    case 'foreign':
      analysis.findings.spot({ kind: 'foreign', reason: effect.reason, span: effect.at ?? analysis.location.here })
      return
    case 'unknown':
      analysis.findings.spot({ kind: 'unknown', reason: effect.reason, span: effect.at ?? analysis.location.here })
  }
}

interface Start {
  readonly assign?: readonly Arg[] | undefined
  readonly cwd?: Arg | undefined
}

/** Runs a function below the program `via`, one level deeper and with its own state. */
function nested(analysis: Analysis, state: State, via: string, start: Start, run: (state: State) => void): void {
  analysis.budget.enter()
  const inner = childState(analysis, state)
  inner.via = [...state.via, via]
  if (start.cwd) {
    const cwd = start.cwd.text === null ? null : absolutePath(analysis, state, start.cwd.text)
    inner.directory = { ...inner.directory, cwd }
  }
  for (const assignment of start.assign ?? []) setVariable(analysis, inner, assignment)
  run(inner)
  analysis.budget.exit()
}

/** Programs that run commands on another machine or in another file system. */
const REMOTE_RUNNERS =
  /^(ssh|mosh|docker|podman|nerdctl|kubectl|oc|lxc|incus|machinectl|vagrant|multipass|limactl|toolbox|distrobox|flatpak|crictl|ctr|k3s|minikube|gcloud|az|aws)( |$)/

/** Programs that run a command only for files that they find or that change. */
const WHEN_FOUND = /^(?:find |fd |entr\b|watchexec|reflex|onchange|inotify)/

const runsRemotely = (via: string): boolean => REMOTE_RUNNERS.test(via) && !via.startsWith('ssh -')

function applyRun(analysis: Analysis, state: State, effect: Extract<Effect, { does: 'run' }>): void {
  const remote = runsRemotely(effect.via)
  const isConditional = WHEN_FOUND.test(effect.via)
  const argv = effect.via === 'env -S' ? effect.argv.map((arg) => withVariable(analysis, state, arg)) : effect.argv
  const run = (): void =>
    nested(analysis, state, effect.via, effect, (inner) =>
      runArguments(analysis, inner, effect.more ? [...argv, addedArgument(argv)] : argv),
    )
  const runMaybe = isConditional ? () => analysis.certainty.maybe(run) : run
  if (remote) analysis.certainty.remotely(runMaybe)
  else runMaybe()
}

/** Returns an argument of `env -S` with its exported variables replaced. */
function withVariable(analysis: Analysis, state: State, arg: Arg): Arg {
  const pieces = arg.text?.split(ENV_VARIABLE) ?? []
  if (pieces.length < 3) return arg
  let value: Value = ''
  pieces.forEach((piece, i) => {
    const variable = i % 2 === 0 ? null : lookUp(analysis, state, piece)
    value = concat(value, variable === null ? piece : variable.exported && variable.isSet ? variable.value : '')
  })
  return valueArg(value, arg.span)
}

/** Runs a shell that reads its standard input. On another machine the commands are not local. */
function applyStdin(analysis: Analysis, state: State, effect: Extract<Effect, { does: 'shell-stdin' }>): void {
  const whole = state.descriptors.get(0)?.input?.drain() ?? ''
  const inputs = commandsIn(effect.form, whole)
  if (inputs.some((input) => typeof input === 'object') && (analysis.certainty.isRemote || runsRemotely(effect.via))) {
    analysis.findings.reportForeign('a shell starts on another machine', null)
    return
  }
  analysis.unset.reportEvaluation()
  nested(analysis, state, effect.via, {}, (inner) => {
    startShell(analysis, inner, effect.via)
    const [scriptName, ...args] = effect.args ?? []
    setPositional(inner, args, scriptName && argValue(scriptName))
    for (const input of inputs) runText(analysis, inner, input)
  })
}

/** Returns the shell commands in a file of the form. Unknown parts of a crontab are reported when they run. */
function commandsIn(form: Extract<Effect, { does: 'shell-stdin' }>['form'], whole: Value): readonly Value[] {
  if (form === 'crontab') return [tableCommands(templateOf(whole))]
  return form === 'makefile' ? makefileCommands(templateOf(whole)) : [whole]
}

/** The maximum length of input that is searched for client commands. */
const MAX_CLIENT_CHARS = 10_000

/** Applies the statements in a database client's input or file. Records only statements that change data. */
function applyStatements(
  analysis: Analysis,
  state: State,
  { argv, client, file }: Extract<Effect, { does: 'statements-stdin' }>,
  by: string,
): void {
  const input = file ? unknown('input', 'the text of a file') : (state.descriptors.get(0)?.input?.peek() ?? '')
  const path = file
    ? absolutePath(analysis, state, file.text ?? '')
    : typeof input === 'object'
      ? input.path
      : undefined
  const written = path ? shellTextAt(analysis, path) : undefined
  if (path && written === undefined && file?.text !== null) analysis.questions.add({ ask: 'script', path })
  const text = templateOf(typeof written === 'string' ? written : input)
  if (text === '') return
  if (client)
    for (const effect of clientCommands(client, known(text.slice(0, MAX_CLIENT_CHARS), analysis.location.here)))
      applyEffect(analysis, state, effect, by)
  const statements = relevantStatements(text, argv, path !== undefined)
  if (statements === '') return
  nested(analysis, state, `${by} <`, {}, (inner) =>
    analysis.findings.addInvocation(inner, [...argv, known(statements, analysis.location.here)]),
  )
}

function applyShell(analysis: Analysis, state: State, effect: Extract<Effect, { does: 'shell' }>): void {
  if (runsRemotely(effect.via)) {
    analysis.certainty.remotely(() => runShell(analysis, state, effect))
    return
  }
  analysis.unset.reportEvaluation()
  runShell(analysis, state, effect)
}

function runShell(analysis: Analysis, state: State, effect: Extract<Effect, { does: 'shell' }>): void {
  nested(analysis, state, effect.via, effect, (inner) => {
    if (!runsRemotely(effect.via) && !/^\S*sh(?: -\S+)* -c$|^su -c$/.test(effect.via))
      for (const shell of effect.shell === undefined ? ANY_SHELL : [effect.shell, ...ANY_SHELL])
        analysis.findings.addInvocation(inner, shellArguments(effect.text, shell))
    startShell(analysis, inner, effect.via)
    const [scriptName, ...args] = effect.args ?? []
    setPositional(inner, args, scriptName && argValue(scriptName))
    // dash and other plain shells run the text after &> as a separate command.
    if (effect.via === 'sh -c' && /&>/.test(effect.text.prefix))
      analysis.findings.reportUnknown('sh can interpret &> differently than bash', null)
    runText(analysis, inner, argValue(effect.text))
  })
}

/** The shells that a program can start if it does not name one. */
const ANY_SHELL: readonly string[] = ['sh']

/** Returns the arguments of the shell that a program starts for a command text. */
const shellArguments = (text: Arg, shell: string): readonly Arg[] => [
  known(shell, text.span),
  known('-c', text.span),
  text,
]

/** Runs BASH_ENV, which a shell reads when it starts. */
function startShell(analysis: Analysis, state: State, via: string): void {
  if (/^(?:sh|dash|ash|posh|busybox|ksh|mksh)\b/.test(via)) state.options = new Set([...state.options, PLAIN_SHELL])
  const file = state.variables.get('BASH_ENV')
  if (!file?.exported || typeof file.value !== 'string' || file.value === '' || /[$`]/.test(file.value)) return
  const own = state.fork()
  runScript(
    analysis,
    own,
    { text: file.value, prefix: file.value, maySplit: false, span: analysis.location.here },
    [],
    'unknown',
  )
}

function setVariable(analysis: Analysis, state: State, arg: Arg): void {
  const equals = arg.prefix.indexOf('=')
  if (equals < 0) return
  const name = arg.prefix.slice(0, equals)
  const value: Value =
    arg.text === null
      ? {
          unknown: 'an unknown value',
          origin: arg.origin ?? 'output',
          prefix: arg.prefix.slice(equals + 1),
          ...(arg.alternatives === undefined
            ? {}
            : { alternatives: arg.alternatives.map((option) => option.slice(equals + 1)) }),
        }
      : arg.text.slice(equals + 1)
  // bash imports variables with such names as functions.
  const imported = /^BASH_FUNC_(.+)%%$/.exec(name)?.[1]
  if (imported !== undefined) {
    runText(analysis, state, typeof value === 'string' ? `${imported} ${value}` : value)
    state.definitions.exportFunction(imported)
    return
  }
  const choices =
    typeof value === 'object' && value.alternatives ? [...value.alternatives, { ...value, options: [] }] : null
  state.variables.set(name, { ...scalar(value), choices, exported: true })
  addVariable(analysis, state, name, arg.span)
}
