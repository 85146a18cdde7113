import type { Span } from '../../../model/basics/span.js'
import type { Unknown } from '../../../model/run/facts.js'
import type { Assignment } from '../../../shell/tree.js'

/**
 * The meaning of a word on a command line. All effects of a program follow from these.
 *
 * Data: `text`.
 * Paths: `read`, `write`, `update` (both), `delete`; with `-tree` including everything below.
 * `cwd` is read, and later relative paths and commands use it.
 * Network: `host` (`h`, `h:port`, `user@h`), `url`, `remote` (`[user@]host:path` or a path that is read),
 * `remote-write`. Commands: `command` (this word and all later ones), `shell` (a string for `sh -c`), `shell-rest`
 * (this word and all later ones, joined, for `sh -c`), `words` (a string split at blanks and quotes), `program` (a
 * program that gets unknown arguments), `script` (a shell script; later words are its arguments). Other code: `code`
 * (text of another language), `code-file` (a file of it). Environment: `assignment` (NAME=VALUE for the command).
 */
export type Role =
  | 'text'
  | 'read'
  | 'read-tree'
  | 'write'
  | 'write-tree'
  | 'update'
  | 'update-tree'
  | 'delete'
  | 'delete-tree'
  | 'cwd'
  | 'host'
  | 'url'
  | 'remote'
  | 'remote-write'
  | 'command'
  | 'shell'
  | 'shell-rest'
  | 'words'
  | 'program'
  | 'script'
  | 'code'
  | 'code-file'
  | 'assignment'

/**
 * The origin of unknown text. It decides whether re-expansion can run something. `made`: derived from text in the
 * script by a program or an unfollowed operation. `decoded`: derived from such text by a decoder. `unpacked`: decoded
 * from other text.
 */
export type Origin =
  | 'input'
  | 'output'
  | 'download'
  | 'made'
  | 'decoded'
  | 'unpacked'
  | 'environment'
  | 'files'
  | 'number'
  | 'condition'

/** Marks each unknown part in a template. The same character in a script counts as unknown. */
export const MARK = '\ue0ff'

/** An argument as the shell passes it. `text` is null if it is unknown; `prefix` is then its known start. */
export interface Arg {
  readonly text: string | null
  readonly prefix: string
  /** Set if `text` is null. */
  readonly unknown?: Unknown | undefined
  readonly origin?: Origin | undefined
  /** A name for an unknown path that is the same each time, such as one from `mktemp`. */
  readonly pathName?: string | undefined
  /** Set for output of `find`: it starts with the searched directory, so no program takes it for an option. */
  readonly isFound?: true | undefined
  /** The possible values if a condition decides between them. */
  readonly alternatives?: readonly string[] | undefined
  /** The known text around the unknown parts, with a mark for each of those. */
  readonly template?: string | undefined
  /** The assignment in the source, for builtins that declare variables. */
  readonly assignment?: Assignment
  readonly value?: string | { readonly unknown: string; readonly origin: Origin; readonly prefix: string }
  /** True if it can become any number of arguments (an unquoted expansion, a glob). */
  readonly maySplit: boolean
  readonly span: Span
}

/** An effect of a call. `via` is the running program; `more` tells that it adds unknown arguments. */
export type Effect =
  | {
      readonly does: 'read' | 'write' | 'delete'
      readonly path: Arg
      readonly recursive: boolean
      readonly cwd?: Arg | undefined
      /** Relative to the home, not to the working directory. */
      readonly inHome?: true
    }
  | { readonly does: 'connect'; readonly host: Arg; readonly how: 'host' | 'url' }
  | {
      readonly does: 'run'
      readonly argv: readonly Arg[]
      readonly via: string
      readonly more?: boolean
      readonly assign?: readonly Arg[]
      readonly cwd?: Arg | undefined
      /** The environment contains only `assign`. */
      readonly bare?: boolean
    }
  | {
      readonly does: 'shell'
      readonly text: Arg
      /** The shell, if it is not `sh`. */
      readonly shell?: string
      /** `$0`, `$1`, … */
      readonly args?: readonly Arg[]
      readonly via: string
      readonly assign?: readonly Arg[]
      readonly cwd?: Arg | undefined
    }
  | { readonly does: 'script'; readonly path: Arg; readonly args: readonly Arg[]; readonly via: string }
  /** Reads shell commands from standard input. `form`: the file that holds them. */
  | {
      readonly does: 'shell-stdin'
      readonly via: string
      readonly args?: readonly Arg[]
      readonly form?: 'crontab' | 'makefile'
    }
  /** Reads statements from standard input as if they were the last argument. `client` has its own commands. */
  | {
      readonly does: 'statements-stdin'
      readonly argv: readonly Arg[]
      readonly client?: string
      /** The file with the statements, if not standard input. */
      readonly file?: Arg
    }
  /** Appends the words of its standard input to this call and runs it. */
  | { readonly does: 'run-stdin'; readonly argv: readonly Arg[]; readonly via: string; readonly style: StdinStyle }
  | { readonly does: 'set'; readonly assignment: Arg }
  | { readonly does: 'foreign' | 'unknown'; readonly reason: string; readonly at?: Span }

/** Conversion of input to arguments by `xargs` and similar programs. */
export interface StdinStyle {
  /** The program quotes the items that it inserts into shell text. */
  readonly isQuoted?: boolean
  /** `null`: blanks and newlines, with quotes and backslashes resolved. */
  readonly delimiter: string | null
  /** Items are lines, with quotes and backslashes resolved. */
  readonly areLines?: boolean
  /** The text that each item replaces in the arguments; `null` appends the items. */
  readonly replace: string | null
  /** Items per call; `null` for the maximum. */
  readonly perCommand: number | null
  /** Input lines per call. */
  readonly perLines?: number | undefined
  /** The item that ends the input. */
  readonly end?: string | undefined
  /** The file with the items, if not standard input. */
  readonly file?: Arg | undefined
}

/** A parsed call: options in order with their values, and the operands. */
export interface Call {
  readonly program: string
  readonly argv: readonly Arg[]
  readonly options: readonly { readonly name: string; readonly value: Arg | null; readonly span: Span }[]
  readonly operands: readonly Arg[]
  has(...names: readonly string[]): boolean
  value(...names: readonly string[]): Arg | null
}

/**
 * Style of a command line.
 * `single-dash`: long options have one dash and are never bundled (`-name x`, `-classpath x`).
 * `bare-first`: the first word can be option letters without a dash: `tar xf`, `ar rcs`, `ps aux`.
 * `bare-shell`: without a command, a shell reads standard input: `su`, `chroot`, `script`.
 * `assignments-first`: `NAME=VALUE` words precede the command: `env`, `sudo`.
 */
export type Style = 'single-dash' | 'bare-first' | 'bare-shell' | 'assignments-first'

/**
 * The command line of a program or subcommand. Option names are separated by blanks: `'-r -R --recursive'`. Abbreviated
 * long options, `-abc`, `-ofile`, `--opt=value` and `--` are understood.
 */
export interface Grammar {
  /** Options without a value. */
  readonly flags?: string
  /** Options with a value (attached or the next word) and its role. */
  readonly values?: Readonly<Record<string, Role>>
  /** Options with an optional value, which is always attached: `-i[SUFFIX]`, `--color[=WHEN]`. */
  readonly optional?: Readonly<Record<string, Role>>
  /** The roles of operands by position. `rest` is for all others, `last` for the last of at least two. */
  readonly operands?: readonly Role[]
  readonly rest?: Role
  readonly last?: Role
  /** Options that change the roles of operands: `{ '-r -R': { rest: 'delete-tree' } }`. The first match wins. */
  readonly when?: Readonly<
    Record<string, Pick<Grammar, 'operands' | 'rest' | 'last' | 'foreign' | 'writesOnlyNamedPaths'>>
  >
  /** `false`: options end at the first operand. Implied by an operand that is a `command`, `shell-rest` or `script`. */
  readonly permute?: boolean
  readonly style?: Style | `${Style} ${Style}`
  /** Unlisted options: `unknown` if misparsing would hide a program, else `foreign` or `ignore`. Derived if absent. */
  readonly unlisted?: 'ignore' | 'foreign' | 'unknown'
  /** Always runs its own code: the reason, as a sentence fragment (`recipes in the project`). */
  readonly foreign?: string
  /** Changes only the files that its roles name. Without a write role it writes nothing. */
  readonly writesOnlyNamedPaths?: boolean
  /** Subcommands by name; commas separate names, `*` is any other. Global options are in the outer grammar. */
  readonly subcommands?: Readonly<Record<string, Grammar>>
  /** Effects that the table cannot express, added to those of the roles. Must be pure and total. */
  readonly effects?: (call: Call) => readonly Effect[]
}

/** A program with all its names. */
export interface Program extends Grammar {
  /** Names separated by blanks: `'vi vim nvim view'`. */
  readonly names: string
}

/** A family of programs. */
export type Family = readonly Program[]
