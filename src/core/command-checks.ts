import { analyse } from './analyse/analyse.js'
import { CordonError } from './model/basics/errors.js'
import { type Facts, type Invocation, noAnswers } from './model/run/facts.js'
import { checkCommand } from './model/run/run-input.js'

/** Programs that structured mode denies in every profile that does not remove the denial. */
export const DENIED_PROGRAMS = ['rm', 'sudo', 'dd', 'mkfs', 'shutdown', 'reboot', 'passwd', 'visudo'] as const

/** Default list of `checkBlocklist`: the first words of a command, compared in any letter case. */
export const DENIED_PATTERNS = [
  ...['rm -rf /', 'sudo', 'mkfs', 'dd if=', 'shutdown', 'reboot', 'halt'],
  ...['curl', 'wget', 'nc', 'ncat', 'netcat'],
] as const

/** Programs whose `-c` runs a script. */
export const SHELLS = ['bash', 'sh', 'zsh', 'fish', 'dash', 'ksh', 'csh', 'tcsh'] as const

const CONTEXT = { cwd: '/workspace', home: '/home/user', env: [] }

const factsOf = (script: string): Facts => analyse({ mode: 'shell', script }, CONTEXT, noAnswers()).facts

/**
 * Returns the first pattern that a command of the script begins with, the text that cannot be analysed, or null.
 * Commands are found as bash finds them, in substitutions and behind wrappers too; text that is only data never
 * matches. A pattern is a program, or a program with the beginning of its arguments: `rm -rf /`, `dd if=`.
 */
export function checkBlocklist(script: string, blocklist: readonly string[] = DENIED_PATTERNS): string | null {
  const { invocations, opaque } = factsOf(checkedScript(script))
  const found = blocklist.find((pattern) => invocations.some((part) => beginsWith(part, pattern)))
  if (found !== undefined) return found
  const unknown = opaque.find(({ kind }) => kind === 'unknown')
  return unknown === undefined ? null : script.slice(...unknown.span)
}

/** Returns the script that a call such as `bash -c script` runs; null if the program is no shell or has no script. */
export function effectiveShellCommand(program: string, args: readonly string[]): string | null {
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (!SHELLS.some((shell) => shell === name)) return null
  const at = args.indexOf('-c')
  return at < 0 ? null : (args[at + 1] ?? null)
}

/**
 * Throws INVALID_ARGUMENTS for a command that is empty, malformed or too long, and COMMAND_BLOCKED for one that
 * begins with a pattern of the list. A check of the text alone: it decides by no profile.
 */
export function validateCommand(script: string, blocked: readonly string[] = DENIED_PATTERNS): void {
  const pattern = checkBlocklist(script, blocked)
  if (pattern !== null)
    throw new CordonError('COMMAND_BLOCKED', `Command not allowed: it matches the blocked pattern "${pattern}".`, {
      pattern,
    })
}

function checkedScript(script: unknown): string {
  if (typeof script !== 'string') throw new CordonError('INVALID_ARGUMENTS', 'command must be a string')
  checkCommand(script)
  return script
}

/** Compares program, short options as a set, and first operands. A word of the pattern that ends in `=` is a prefix. */
function beginsWith({ program, argv }: Invocation, pattern: string): boolean {
  const [name = '', ...rest] = pattern.toLowerCase().trim().split(/\s+/)
  const called = program?.toLowerCase() ?? ''
  if (called !== name && !called.startsWith(`${name}.`)) return false
  const wanted = parted(rest)
  const given = parted(argv.slice(1).map((arg) => (typeof arg === 'string' ? arg : (arg.glob ?? '')).toLowerCase()))
  return (
    wanted.flags.every((flag) => given.flags.includes(flag)) &&
    wanted.operands.every((word, index) => isOperand(given.operands[index] ?? '', word))
  )
}

const isOperand = (text: string, word: string): boolean =>
  word.endsWith('=') ? text.startsWith(word) : text === word || (word === '/' && /^\/+\*?$/.test(text))

function parted(words: readonly string[]): { readonly flags: readonly string[]; readonly operands: readonly string[] } {
  const isShort = (word: string): boolean => /^-[^-]/.test(word)
  return {
    flags: words.filter(isShort).flatMap((word) => [...word.slice(1)]),
    operands: words.filter((word) => !word.startsWith('-')),
  }
}
