import { parseScript } from '../../core/shell/parse-script.js'
import type { AndOr, Block, Node, Redirect, Script } from '../../core/shell/tree.js'
import { literal, wordsOf } from './literal-words.js'

/** A shell call of an agent: a command, and a file for the directory that the command ends in. */
export interface ShellCall {
  readonly script: string
  /** Claude Code reads it after the command. */
  readonly cwdFile: string | null
}

/**
 * Takes the command out of what an agent puts around it. Only that command is run, so the text around it needs
 * no decision. Text that is not exactly what the agent writes is a command as a whole.
 */
export function readEnvelope(text: string): ShellCall {
  const parsed = parseScript(text)
  const whole = { script: text, cwdFile: null }
  return parsed.parseErrors.length > 0 ? whole : (claudeCall(parsed) ?? geminiCall(parsed) ?? whole)
}

/** `source SNAPSHOT 2>/dev/null || true && { \builtin …; } … && eval WORD < /dev/null && pwd -P >| FILE` */
function claudeCall({ statements }: Script): ShellCall | null {
  const [only, ...others] = statements
  if (only === undefined || others.length > 0 || only.background || only.node.kind !== 'and-or') return null
  const { commands, operators }: AndOr = only.node
  const [evaluated, directory] = commands.slice(-2)
  if (!operators.slice(-2).every((operator) => operator === '&&')) return null
  if (!commands.slice(0, -2).every(isPreparation)) return null
  const script = evaluatedText(evaluated)
  const cwdFile = cwdFileOf(directory)
  return script === null || cwdFile === null ? null : { script, cwdFile }
}

const PREPARES = new Set(['source', '.', 'true', 'shopt', 'setopt', 'builtin', 'unalias', 'unset'])

/** Commands by which Claude Code sets up its shell. They are not run here: the sandbox has a plain bash. */
function isPreparation(node: Node): boolean {
  if (node.kind === 'simple') return PREPARES.has(wordsOf(node)?.[0] ?? '')
  if (node.kind === 'and-or') return node.commands.every(isPreparation)
  return node.kind === 'group' && node.body.every(({ node: inner, background }) => !background && isPreparation(inner))
}

function evaluatedText(node: Node | undefined): string | null {
  if (node?.kind !== 'simple') return null
  const [name, text, ...others] = wordsOf(node) ?? []
  const isFromNull = node.redirects.every((one) => fileOf(one, '<') === '/dev/null')
  return name === 'eval' && text !== undefined && others.length === 0 && isFromNull ? text : null
}

function cwdFileOf(node: Node | undefined): string | null {
  if (node?.kind !== 'simple' || wordsOf(node)?.join(' ') !== 'pwd -P') return null
  const [redirect, ...others] = node.redirects
  return redirect === undefined || others.length > 0 ? null : fileOf(redirect, '>|')
}

/** `shopt -u …; _bgpids_file=FILE⏎(⏎  trap 'jobs -p > "$_bgpids_file"' EXIT⏎COMMAND⏎)⏎__code=$?⏎exit $__code` */
function geminiCall({ text, statements }: Script): ShellCall | null {
  const nodes = statements.map(({ node }) => node)
  if (statements.some(({ background }) => background)) return null
  const start = nodes[0]?.kind === 'simple' && wordsOf(nodes[0])?.[0] === 'shopt' ? 1 : 0
  const [file, body, code, exit, ...others] = nodes.slice(start)
  if (others.length > 0 || !isSource(text, code, '__code=$?') || !isSource(text, exit, 'exit $__code')) return null
  if (file?.kind !== 'simple' || file.words.length > 0 || file.assignments[0]?.name !== '_bgpids_file') return null
  if (body?.kind !== 'subshell' || body.redirects.length > 0) return null
  return { script: textInSubshell(text, body) ?? text, cwdFile: null }
}

const GEMINI_TRAP = `trap 'jobs -p > "$_bgpids_file"' EXIT`

function textInSubshell(text: string, { body, span }: Block): string | null {
  const [trap] = body
  if (!isSource(text, trap?.node, GEMINI_TRAP)) return null
  const inner = text.slice((trap?.node.span[1] ?? 0) + 1, span[1] - 1)
  return inner.trim() === '' ? null : inner.replace(/\n$/, '')
}

const isSource = (text: string, node: Node | undefined, source: string): boolean =>
  node !== undefined && text.slice(...node.span) === source

const fileOf = (redirect: Redirect, operator: string): string | null =>
  redirect.kind === 'file' && redirect.operator === operator && redirect.descriptor === null
    ? literal(redirect.target)
    : null
