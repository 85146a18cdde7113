import { baseName } from '../../../model/basics/path.js'
import { joined, known, without } from '../grammar/arguments.js'
import { splitWords } from '../grammar/effects-of.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

const ENV_ESCAPES: Readonly<Record<string, string>> = {
  _: ' ',
  n: '\n',
  t: '\t',
  r: '\r',
  f: '\f',
  v: '\v',
  '#': '#',
  $: '$',
}

/** `env -S` splits one string by its own rules (`\_` is a blank, `\c` ends it). */
export function envSplit(call: Call): readonly Effect[] {
  const [first] = call.operands
  const own = first === undefined ? call.argv : call.argv.slice(0, call.argv.indexOf(first))
  const at = own.findIndex((arg) => /^(-[^-]*S|--split-string|--s)/.test(arg.prefix))
  if (at < 0) return []
  const arg = call.argv[at] as Arg
  const long = arg.prefix.startsWith('--')
  const cut = long ? arg.prefix.indexOf('=') + 1 : arg.prefix.indexOf('S') + 1
  const attached = long ? cut > 0 : cut < arg.prefix.length
  const value = attached ? without(arg, cut) : call.argv[at + 1]
  if (!value) return []
  const text = value.text === null ? null : withVariables(value.text)
  if (text === null) return [{ does: 'unknown', reason: 'the string of env -S is unknown', at: value.span }]
  const words = splitWords({ ...value, text: envUnescape(text) }).map((w) =>
    w.text === null ? w : known(w.text.replaceAll('\u0001', ' '), w.span),
  )
  const rest = call.argv.slice(at + (attached ? 1 : 2))
  return [{ does: 'run', argv: [known('env', arg.span), ...words, ...rest], via: 'env -S' }]
}

/** Surrounds the name of a variable that `env` expands itself. */
const VARIABLE = '\u0002'

/** Marks the variables (`${x}` only) for a caller who knows their values. Null for any other form. */
function withVariables(text: string): string | null {
  const marked = text.replace(/(?<!\\)\$\{(\w+)\}/g, `${VARIABLE}$1${VARIABLE}`)
  const isPlain = marked === text || !text.includes("'")
  return isPlain && !/(?<!\\)[$`]/.test(marked) ? marked : null
}

/** Matches a marked variable. */
export const ENV_VARIABLE = new RegExp(`${VARIABLE}(\\w+)${VARIABLE}`)

function envUnescape(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    const next = text[i + 1]
    if (c !== '\\' || next === undefined) out += c
    else if (next === 'c') return out
    else if (next === '_') {
      out += ' '
      i++
    } else if (ENV_ESCAPES[next] !== undefined) {
      out += `\\${ENV_ESCAPES[next]}`
      i++
    } else {
      out += `\\${next}`
      i++
    }
  }
  return out
}

/** `flock FILE -c STRING`, `flock FILE CMD…`, `flock 9`. */
export function flockEffects(call: Call): readonly Effect[] {
  const [file, ...rest] = call.operands
  const effects: Effect[] = []
  if (file && rest.length > 0) effects.push({ does: 'write', path: file, recursive: false })
  const [first, second] = rest
  if (first && /^(-[a-z]*c|--command)$/.test(first.text ?? '')) {
    if (second) effects.push({ does: 'shell', text: second, via: 'flock -c' })
  } else if (first) effects.push({ does: 'run', argv: rest, via: 'flock' })
  return effects
}

/** `busybox APPLET …`: runs the applet. */
export function busyboxEffects(call: Call): readonly Effect[] {
  const first = call.argv[1]
  if (!first) return []
  if (/^--install/.test(first.prefix))
    return [{ does: 'unknown', reason: 'busybox installs programs under other names', at: first.span }]
  if (first.prefix.startsWith('--')) return []
  return [{ does: 'run', argv: call.argv.slice(1), via: baseName(call.program) }]
}

const ARCHITECTURE =
  /^(linux(32|64)|i[3-6]86|x86_64|amd64|uname26|athlon|arm\w*|aarch64|ppc\w*|powerpc\w*|s390x?|mips\w*|sparc\w*|alpha|riscv\w*|ia64|parisc\w*|sh4|loongarch\w*)$/

/** `setarch [ARCH] [options] CMD…`: options can also follow the architecture. */
export function setarchEffects(call: Call): readonly Effect[] {
  const [first, ...rest] = call.operands
  if (!first) return [{ does: 'shell-stdin', via: 'setarch' }]
  if (!ARCHITECTURE.test(first.text ?? '')) return [{ does: 'run', argv: call.operands, via: 'setarch' }]
  let skip = 0
  while (/^-/.test(rest[skip]?.text ?? '')) skip++
  return skip < rest.length ? [{ does: 'run', argv: rest.slice(skip), via: 'setarch' }] : []
}

/** A number as `strtod` parses it. Without a valid duration, timeout runs nothing. */
const DURATION = /^\s*[+-]?(?:\d|\.\d|inf|nan)/i

/** `timeout DURATION COMMAND`. */
export function timeoutEffects({ operands: [duration, ...command] }: Call): readonly Effect[] {
  if (!duration || command.length === 0 || (duration.text !== null && !DURATION.test(duration.text))) return []
  return [{ does: 'run', argv: command, via: 'timeout' }]
}

/** `script` starts the user's shell, with a command or interactively. */
export function scriptEffects(call: Call): readonly Effect[] {
  const text = call.value('-c', '--command')
  if (text) return [{ does: 'shell', text, via: 'script', shell: 'bash' }]
  const dashes = call.argv.findIndex((arg) => arg.text === '--')
  const command = dashes < 0 ? [] : call.argv.slice(dashes + 1)
  // Older versions take the word after the dashes for their output file.
  const [first] = command
  if (first && command.length > 1)
    return [{ does: 'shell', text: joined(command, first.span), via: 'script', shell: 'bash' }]
  // On BSD the words after the output file are the command.
  const given = call.operands.slice(1)
  return given.length > 0 ? [{ does: 'run', argv: given, via: 'script' }] : [{ does: 'shell-stdin', via: 'script' }]
}
