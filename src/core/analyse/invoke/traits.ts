import { makesEnvironment } from '../expand/python-environment.js'
import { copies } from '../files/copies-and-links.js'
import { followsInstructions } from '../files/indirect-writers.js'
import { type Printer, printerOf } from '../printing/program-output.js'
import { DELEGATING } from '../programs/delegating-programs.js'
import { type CompiledGrammar, compiled } from '../programs/grammar/compiled-grammar.js'
import { grammarOf } from '../programs/registry.js'
import { isShell } from '../run/shell-startup.js'

/** Facts that follow from a program's name alone. */
export interface Traits {
  /** Null for an unlisted program. */
  readonly grammar: CompiledGrammar | null
  /** The program can start others with fewer variables. */
  readonly isClearing: boolean
  readonly isShell: boolean
  /** The program runs the files of a directory. */
  readonly isHooked: boolean
  readonly isCopying: boolean
  /** Only the command that it runs prints. */
  readonly passesOutput: boolean
  readonly isInline: boolean
  readonly makesDirectories: boolean
  readonly makesEnvironment: boolean
  /** The program starts other programs. */
  readonly delegates: boolean
  /** Null if its output is not followed. */
  readonly printer: Printer | null
}

const PASSING = new Set(
  'bash sh dash zsh ksh env xargs timeout nice nohup setsid stdbuf ionice chrt taskset command flock sudo doas'.split(
    ' ',
  ),
)

/** Removes the version of a name: `python3.11` becomes `python3`, `mkfs.ext4` stays. */
const versionless = (base: string): string => base.replace(/[-.]?\d+(?:\.\d+)*$/, '')

export function traitsOf(base: string): Traits {
  const program = grammarOf(base) ?? grammarOf(versionless(base))
  return {
    grammar: program ? compiled(program) : null,
    isClearing: base === 'env' || base === 'genv' || base === 'setpriv',
    isShell: isShell(base),
    isHooked: base === 'git' || base === 'run-parts',
    isCopying: copies(base),
    passesOutput: PASSING.has(base),
    isInline: followsInstructions(base),
    makesDirectories: base === 'mkdir',
    makesEnvironment: makesEnvironment(base),
    delegates: program === undefined || DELEGATING.has(base),
    printer: printerOf(base),
  }
}
