import { PLAIN_SHELL } from './builtin-print.js'
import type { Edit } from './edits.js'
import { addVariable } from './environment-facts.js'
import { inherited } from './inherit.js'
import { addHostOf, addPath } from './path-facts.js'
import { known } from './programs/arguments.js'
import type { Arg, Effect, Source, StdinStyle } from './programs/knowledge.js'
import { withArgument } from './programs/quoted-items.js'
import type { Reading } from './reading.js'
import { textOfFile } from './redirect.js'
import { runScript, runText } from './shell-text.js'
import { runArguments } from './simple.js'
import { type State, scalar } from './state.js'
import { Sink } from './streams.js'
import { splitItems } from './text/items.js'
import { argValue, type Value } from './value.js'

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
    case 'run-stdin':
      nested(reading, state, effect.via, {}, (inner) => runItems(reading, inner, effect.argv, effect.style))
      return
    case 'set':
      setVariable(reading, state, effect.assignment)
      return
    case 'foreign':
      reading.findings.spot({ kind: 'foreign', reason: effect.reason, span: effect.at ?? reading.here })
      return
    case 'hidden':
      reading.findings.spot({ kind: 'hidden', reason: effect.reason, span: effect.at ?? reading.here })
  }
}

const KINDS = { read: 'reads', write: 'writes', delete: 'deletes' } as const

function performPath(
  reading: Reading,
  state: State,
  effect: Extract<Effect, { does: 'read' | 'write' | 'delete' }>,
  by: string,
): void {
  const { path, cwd } = effect
  if (path.text === '-' || path.text === '/dev/null') return
  const base = cwd === undefined ? state.cwd : cwd.text === null ? null : reading.absolute(state, cwd.text)
  addPath(reading, state, KINDS[effect.does], path, by, effect.recursive, base)
  // What is deleted by a name that the script took care not to spell is not meant to be seen.
  if (effect.does === 'delete' && path.source === 'disguised' && /^\/?$/.test(path.head))
    reading.findings.shape('decode-and-run', reading.here)
  if (effect.does === 'write' && reading.dead === 0 && !KEEPS_TEXT.has(by)) forgetFile(reading, state, path, by)
}

/** Programs that write a file without changing its text, or whose text is followed. */
const KEEPS_TEXT = new Set('tee chmod chown chgrp touch setfacl chattr setfattr'.split(' '))

/** What a program writes is not known, and what was known of the file is no longer so. */
function forgetFile(reading: Reading, state: State, path: Arg, by: string): void {
  const absolute = path.text === null ? null : reading.absolute(state, path.text)
  if (absolute === null) return
  const isFed = reading.feedsOurs || typeof state.descriptors.get(0)?.input?.peek() === 'string'
  const { edit } = reading
  const isCertain = reading.undecided === 0
  reading.memory.note(() => {
    if (edit && isCertain && editFile(reading, absolute, edit)) return
    const isOurs = reading.files.has(absolute) || isFed
    reading.files.delete(absolute)
    reading.copies.delete(absolute)
    reading.written.set(absolute, { by, isOurs, isEdit: edit !== null })
  })
}

/** Changes the text of a file that is known; false where it is not, or not afterwards. */
function editFile(reading: Reading, path: string, edit: Edit): boolean {
  const before = reading.files.has(path) ? textOfFile(reading, path) : reading.answers.scripts.get(path)
  if (typeof before !== 'string' || reading.written.has(path)) return false
  reading.work.chars(before.length)
  const text = edit(before, reading.work)
  if (text === null) return false
  // What the script itself wrote, and then changed, is the script in disguise.
  if (reading.files.has(path) && text !== before && text.trim().length > 2) reading.decoded.push(text.trim())
  const sink = new Sink()
  sink.write(text)
  reading.files.set(path, sink)
  return true
}

const added = (argv: readonly Arg[], from: Source = 'files', glob?: string): Arg => ({
  text: null,
  head: '',
  unknown: { unknown: 'arguments the program adds', ...(glob === undefined ? {} : { glob }) },
  source: from === 'decoded' || from === 'disguised' || from === 'download' || from === 'lost' ? from : 'files',
  several: true,
  span: argv[0]?.span ?? [0, 0],
})

interface Start {
  readonly assign?: readonly Arg[] | undefined
  readonly cwd?: Arg | undefined
}

/** Runs something below the program `via`: one level deeper, in a state of its own. */
function nested(reading: Reading, state: State, via: string, start: Start, run: (state: State) => void): void {
  reading.enter()
  const inner = inherited(reading, state)
  inner.via = [...state.via, via]
  if (start.cwd) inner.cwd = start.cwd.text === null ? null : reading.absolute(state, start.cwd.text)
  for (const assignment of start.assign ?? []) setVariable(reading, inner, assignment)
  run(inner)
  reading.exit()
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
  nested(reading, state, effect.via, effect, (inner) =>
    runArguments(reading, inner, effect.more ? [...effect.argv, added(effect.argv)] : effect.argv),
  )
  if (unsure) reading.undecided--
  if (remote) reading.remote--
}

/** A shell without a command: it reads its standard input. On another machine that is its user's business. */
function performStdin(reading: Reading, state: State, effect: Extract<Effect, { does: 'shell-stdin' }>): void {
  const input = state.descriptors.get(0)?.input?.drain() ?? ''
  if (typeof input === 'object' && (reading.remote > 0 || runsElsewhere(effect.via))) {
    reading.foreign('a shell is started elsewhere', null)
    return
  }
  reading.evaluates()
  nested(reading, state, effect.via, {}, (inner) => {
    startShell(reading, inner, effect.via)
    const [zero, ...args] = effect.args ?? []
    if (zero) inner.zero = argValue(zero)
    inner.positional = args.map(argValue)
    runText(reading, inner, input)
  })
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
    inner.positional = args.some((arg) => arg.several) ? null : args.map(argValue)
    // dash and other plain shells run what stands behind &> as a command of its own.
    if (effect.via === 'sh -c' && /&>/.test(effect.text.head))
      reading.hidden('sh may read &> otherwise than bash', null)
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
  runScript(reading, own, { text: file.value, head: file.value, several: false, span: reading.here }, [], 'hidden')
}

function setVariable(reading: Reading, state: State, arg: Arg): void {
  const equals = arg.head.indexOf('=')
  if (equals < 0) return
  const name = arg.head.slice(0, equals)
  const value: Value =
    arg.text === null
      ? { unknown: 'not known', source: 'output', head: arg.head.slice(equals + 1) }
      : arg.text.slice(equals + 1)
  // bash takes variables of such names for functions.
  const imported = /^BASH_FUNC_(.+)%%$/.exec(name)?.[1]
  if (imported !== undefined) {
    runText(reading, state, typeof value === 'string' ? `${imported} ${value}` : value)
    state.exportFunction(imported)
    return
  }
  state.set(name, { ...scalar(value), exported: true })
  addVariable(reading, state, name, arg.span)
}

/** `xargs`: the words of standard input, or of a file, appended to or put into the command. */
function runItems(reading: Reading, state: State, argv: readonly Arg[], style: StdinStyle): void {
  const input: Value = style.file
    ? textOfFile(reading, style.file.text === null ? null : reading.absolute(state, style.file.text))
    : (state.descriptors.get(0)?.input?.drain() ?? '')
  const [command] = argv
  if (!command) return
  const items = typeof input === 'string' ? splitItems(input, style.delimiter) : null
  if (items === null || items.length > 2_000) {
    const { source = 'files', glob } = typeof input === 'object' ? input : {}
    runUnknownItems(reading, state, argv, style, source, glob)
    return
  }
  const size = style.perCommand ?? Math.max(1, items.length)
  const groups = style.perLines
    ? linesOf(input, style.perLines).map((lines) => splitItems(lines, style.delimiter))
    : Array.from({ length: Math.max(1, Math.ceil(items.length / size)) }, (_, i) =>
        items.slice(i * size, (i + 1) * size),
      )
  for (const group of groups) {
    if (style.replace === null)
      runArguments(reading, state.fork(), [
        ...argv,
        ...group.map((text) => ({ text, head: text, several: false, span: command.span })),
      ])
    else if (group.length > 0)
      runArguments(
        reading,
        state.fork(),
        argv.map((arg) => replaced(arg, style.replace ?? '', group[0] ?? '')),
      )
  }
}

/** Lines that are not blank, so many together. */
function linesOf(text: Value, count: number): readonly string[] {
  const lines = typeof text === 'string' ? text.split('\n').filter((line) => line.trim() !== '') : []
  return Array.from({ length: Math.ceil(lines.length / count) }, (_, i) =>
    lines.slice(i * count, (i + 1) * count).join('\n'),
  )
}

const replaced = (arg: Arg, marker: string, item: string): Arg => {
  if (arg.text === null || !arg.text.includes(marker)) return arg
  const text = arg.text.replaceAll(marker, item)
  return { ...arg, text, head: text }
}

function runUnknownItems(
  reading: Reading,
  state: State,
  argv: readonly Arg[],
  style: StdinStyle,
  source: Source,
  glob: string | undefined,
): void {
  reading.undecided++
  if (!(style.isQuoted && style.replace === '{}' && runQuotedItem(reading, state, argv, source)))
    runEachItem(reading, state, argv, style.replace, source, glob)
  reading.undecided--
}

/** `parallel gzip {}`: one argument, quoted, in a text that is nothing but words. False where the text is more than that. */
function runQuotedItem(reading: Reading, state: State, [, , template]: readonly Arg[], source: Source): boolean {
  const text = template?.text ? withArgument(template.text, '{}') : null
  if (text === null) return false
  const inner = inherited(reading, state)
  inner.positional = [{ unknown: 'arguments the program adds', source, head: '' }]
  runText(reading, inner, text)
  return true
}

function runEachItem(
  reading: Reading,
  state: State,
  argv: readonly Arg[],
  marker: string | null,
  source: Source,
  glob: string | undefined,
): void {
  if (marker === null) {
    runArguments(reading, state, [...argv, added(argv, source, glob)])
    return
  }
  runArguments(
    reading,
    state,
    argv.map((arg) =>
      arg.text?.includes(marker)
        ? {
            ...added([arg], source, arg.text === marker ? glob : undefined),
            head: arg.text.split(marker)[0] ?? '',
            several: false,
          }
        : arg,
    ),
  )
}
