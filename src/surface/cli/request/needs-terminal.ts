import { CordonError } from '../../../core/model/basics/errors.js'
import { baseName } from '../../../core/model/basics/path.js'
import type { CommandInput } from '../../../engine/api.js'
import type { Io } from '../terminal/io.js'
import type { RunningOptions } from './options.js'

/** Programs that draw on a whole terminal, and what to use in their stead. */
const FULL_SCREEN: Readonly<Record<string, string>> = {
  ...named(
    'vi vim nvim view nano pico emacs micro hx joe ne vimdiff',
    'change the file with your editor outside of Cordon',
  ),
  ...named('more most lv', 'use `cat`'),
  ...named('top htop btop atop iotop glances', 'use `ps`, or `top -b -n 1`'),
  ...named('watch', 'run the command itself'),
  ...named('tmux screen byobu mc ranger nnn lazygit tig fzf dialog whiptail', 'run it outside of Cordon'),
}
/**
 * Programs that read lines from a person when they are given nothing to do. Without a terminal they wait, and show no
 * prompt.
 */
const PROMPTING = new Set(
  'python python3 ipython node deno bun irb ghci lua R julia psql mysql sqlite3 mongosh redis-cli gdb bc ftp telnet'.split(
    ' ',
  ),
)
/** With one of these the program needs no terminal. */
const IN_BATCH = /^(?:-b\S*|-[eE]?s|-es|-Es|--batch|--version|--help|-h|-V)$/

function named(names: string, instead: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, instead]))
}

/** Words that a shell would take as they are: one program with its arguments, and neither a pipe nor a redirect. */
const PLAIN = /^(?:[A-Za-z_]\w*=\S*\s+)*([\w./+-]+)((?:\s+[^\s|&;<>()$`]+)*)\s*$/

function programOf(command: CommandInput): readonly [name: string, words: readonly string[]] | null {
  if (typeof command !== 'string') return [baseName(command.program), command.args ?? []]
  const [, path = '', rest = ''] = PLAIN.exec(command.trim()) ?? []
  const words = rest.split(/\s+/).filter((word) => word !== '')
  return path === '' ? null : [baseName(path), words]
}

/**
 * Returns what to do instead of a command that only works with a terminal of its own, or null for any other command.
 */
export function insteadOfTerminal(command: CommandInput): string | null {
  const [name = '', words = []] = programOf(command) ?? []
  if (words.some((word) => IN_BATCH.test(word))) return null
  const instead = Object.hasOwn(FULL_SCREEN, name) ? FULL_SCREEN[name] : undefined
  if (instead !== undefined) return `\`${name}\` needs a terminal, and a command in the sandbox has none: ${instead}.`
  const isPrompt = words.length === 0 || (words.length === 1 && words[0] === '-i')
  if (!PROMPTING.has(name) || !isPrompt) return null
  return `\`${name}\` without arguments needs a terminal, and a command in the sandbox has none: name a file, or give it its input by a pipe.`
}

/** Throws INVALID_ARGUMENTS for such a command at a terminal, where it would wait and show nothing. */
export function refuseWithoutTerminal({ stdin, stdout }: Io, command: CommandInput, options: RunningOptions): void {
  if (stdin.isTTY !== true || stdout.isTTY !== true || options.stdin === false) return
  const reason = insteadOfTerminal(command)
  if (reason !== null) throw new CordonError('INVALID_ARGUMENTS', reason)
}
