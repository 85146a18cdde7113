import type { Unknown } from '../../model/facts.js'
import type { Span } from '../../model/span.js'
import type { Assignment } from '../../shell/tree.js'

/**
 * What a word on a program's command line means. Everything the reader says of a program follows from these.
 *
 * Data: `text`.
 * Paths: `read`, `write`, `update` (both), `delete`; with `-tree` the operation reaches everything below. `cwd` is read, and relative
 *   paths and commands after it are relative to it.
 * Network: `host` (`h`, `h:port`, `user@h`), `url`, `remote` (`[user@]host:path` or else a path that is read), `remote-write`.
 * Runs something: `command` (this word and all after it are an argument vector), `shell` (a string for `sh -c`), `shell-rest` (this word
 *   and all after it, joined with blanks, for `sh -c`), `words` (a string split at blanks and quotes, then executed), `program` (a
 *   program that is run with arguments of its own), `script` (a shell script that is read and run; words after it are its arguments).
 * Runs something that is not shell: `code` (text of another language), `code-file` (a file of it).
 * Environment: `assignment` (NAME=VALUE, given to what is run).
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
 * Where unknown text comes from: it decides whether evaluating it again could run something. `made`: it is made of text that stands in
 * the script, by a program or in a way that is not followed; `decoded`: a decoder did. `unpacked`: a decoder made it of other text.
 */
export type Source =
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

/** Stands in `around` for each part that is not known. Where a script writes it itself, that too is taken for one. */
export const MARK = '\ue0ff'

/** One argument as the shell passes it. `text` is null when it is not known; `head` is then the part known to come first. */
export interface Arg {
  readonly text: string | null
  readonly head: string
  /** Set when `text` is null. */
  readonly unknown?: Unknown | undefined
  readonly source?: Source | undefined
  /** A name for a path that is not known but the same each time: what `mktemp` made. */
  readonly place?: string | undefined
  /** What `find` found: it begins with the directory that was searched, so that no program takes it for an option. */
  readonly isFound?: true | undefined
  /** Everything it can be, when that depends on a condition. */
  readonly options?: readonly string[] | undefined
  /** What stands before, between and behind what is not known, with a mark for each part of that. */
  readonly around?: string | undefined
  /** The assignment it was written as, for the builtins that declare. */
  readonly assignment?: Assignment
  readonly value?: string | { readonly unknown: string; readonly source: Source; readonly head: string }
  /** True when it may turn out to be any number of arguments (an unquoted expansion, a glob). */
  readonly several: boolean
  readonly span: Span
}

/**
 * What running a program does, as plain data. `via` names what it goes through: `xargs`, `find -exec`, `tar --to-command`.
 * `more`: the program adds arguments that cannot be known.
 */
export type Effect =
  | {
      readonly does: 'read' | 'write' | 'delete'
      readonly path: Arg
      readonly recursive: boolean
      readonly cwd?: Arg | undefined
      /** It is relative to the home, not to the directory. */
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
      /** Started in an environment with nothing in it but `assign`. */
      readonly bare?: boolean
    }
  | {
      readonly does: 'shell'
      readonly text: Arg
      /** The shell, where it is not `sh`. */
      readonly shell?: string
      /** `$0`, `$1`, … */
      readonly args?: readonly Arg[]
      readonly via: string
      readonly assign?: readonly Arg[]
      readonly cwd?: Arg | undefined
    }
  | { readonly does: 'script'; readonly path: Arg; readonly args: readonly Arg[]; readonly via: string }
  /** Reads shell commands from its standard input. `isTable`: behind the times at which they are to run, as crontab has them. */
  | {
      readonly does: 'shell-stdin'
      readonly via: string
      readonly args?: readonly Arg[]
      readonly isTable?: true
    }
  /** Takes statements from its standard input, as if they were the last argument of this vector. `client`: whose own commands are among them. */
  | {
      readonly does: 'statements-stdin'
      readonly argv: readonly Arg[]
      readonly client?: string
      /** Where they stand in a file instead. */
      readonly file?: Arg
    }
  /** Appends its standard input, split into words, to this argument vector and runs it. */
  | { readonly does: 'run-stdin'; readonly argv: readonly Arg[]; readonly via: string; readonly style: StdinStyle }
  | { readonly does: 'set'; readonly assignment: Arg }
  | { readonly does: 'foreign' | 'unknown'; readonly reason: string; readonly at?: Span }

/** How `xargs` and its kin turn their input into arguments. */
export interface StdinStyle {
  /** The program quotes what it puts into the text of a shell. */
  readonly isQuoted?: boolean
  /** `null`: blanks and newlines, with quotes and backslashes understood. */
  readonly delimiter: string | null
  /** Items are lines, with quotes and backslashes understood in them. */
  readonly areLines?: boolean
  /** Replaced in every argument by one item; `null`: items are appended. */
  readonly replace: string | null
  /** Items per invocation; `null`: as many as fit. */
  readonly perCommand: number | null
  /** The words of so many lines per invocation. */
  readonly perLines?: number | undefined
  /** Nothing is taken of what stands behind this item. */
  readonly end?: string | undefined
  /** Arguments come from this file instead of standard input. */
  readonly file?: Arg | undefined
}

/** What was found on a command line: options in order with their values, and the operands. */
export interface Call {
  readonly program: string
  readonly argv: readonly Arg[]
  readonly options: readonly { readonly name: string; readonly value: Arg | null; readonly span: Span }[]
  readonly operands: readonly Arg[]
  has(...names: readonly string[]): boolean
  value(...names: readonly string[]): Arg | null
}

/**
 * How one program, or one of its subcommands, reads its command line. Option names are written as they are typed and separated by
 * blanks: `'-r -R --recursive'`. GNU abbreviations of long options are understood, so are `-abc`, `-ofile`, `--opt=value`, `--`.
 */
export interface Grammar {
  /** Options without a value. */
  readonly flags?: string
  /** Options with a value (attached or the next word) and what the value means. */
  readonly values?: Readonly<Record<string, Role>>
  /** Options whose value is optional and therefore always attached: `-i[SUFFIX]`, `--color[=WHEN]`. */
  readonly optional?: Readonly<Record<string, Role>>
  /** What the operands mean, by position; `rest` is for all others, `last` for the last one when there are at least two. */
  readonly operands?: readonly Role[]
  readonly rest?: Role
  readonly last?: Role
  /** Options that change what operands mean when present: `{ '-r -R': { rest: 'delete-tree' } }`. First match wins. */
  readonly when?: Readonly<Record<string, Pick<Grammar, 'operands' | 'rest' | 'last' | 'foreign' | 'contained'>>>
  /** `false`: options end at the first operand. Implied by an operand that is a `command`, `shell-rest` or `script`. */
  readonly permute?: boolean
  /** Long options start with one dash and are never bundled (`-name x`, `-classpath x`). */
  readonly singleDash?: boolean
  /** `NAME=VALUE` words before the command are put into its environment: `env`, `sudo`. */
  readonly assignmentsFirst?: boolean
  /** With no command given it starts a shell, which reads its standard input: `su`, `chroot`, `script`. */
  readonly bareShell?: boolean
  /** An old-style first word of option letters without a dash: `tar xf`, `ar rcs`, `ps aux`. */
  readonly bareFirst?: boolean
  /** Unlisted options: `unknown` where a program would be lost by misreading, else `foreign` or `ignore`. Derived when absent. */
  readonly unlisted?: 'ignore' | 'foreign' | 'unknown'
  /** Always runs code of its own: the reason, as a sentence fragment (`a makefile's recipes`). */
  readonly foreign?: string
  /** Everything it changes is named by its roles: with no write among them it is known to write nothing. */
  readonly contained?: boolean
  /** Subcommands by name, several names separated by commas; `*` is for any other. Global options stand beside it. */
  readonly subcommands?: Readonly<Record<string, Grammar>>
  /** What the table cannot say. Added to what the roles say; must be pure and total. */
  readonly hook?: (call: Call) => readonly Effect[]
}

/** A program by all its names. */
export interface Program extends Grammar {
  /** Space separated: `'vi vim nvim view'`. */
  readonly names: string
}

/** A family of programs. */
export type Family = readonly Program[]
