import { copies } from './copies.js'
import { type Printer, printerOf } from './output.js'
import { type CompiledGrammar, compiled } from './programs/compiled-grammar.js'
import { DELEGATING } from './programs/delegating-programs.js'
import { knowledgeOf } from './programs/index.js'
import { makesEnvironment } from './python-environment.js'
import { isShell } from './startup-files.js'
import { writesWhatItIsTold } from './writers.js'

/** What a program's name alone says of it, found once for each name: of nearly all programs that is their grammar and nothing else. */
export interface Traits {
  /** Null where nothing is known of the program. */
  readonly grammar: CompiledGrammar | null
  /** It may start what it runs with fewer variables. */
  readonly isClearing: boolean
  readonly isShell: boolean
  /** It runs files of a directory by itself. */
  readonly isHooked: boolean
  readonly isCopying: boolean
  /** What it runs prints for it, and it prints nothing else. */
  readonly passesOutput: boolean
  readonly isInline: boolean
  readonly makesDirectories: boolean
  readonly makesEnvironment: boolean
  /** It starts other programs by itself. */
  readonly delegates: boolean
  /** Null where nothing is known of what it prints. */
  readonly printer: Printer | null
}

/** Names that are remembered. A script can make up any number of them. */
const REMEMBERED = 2_048

const KNOWN = new Map<string, Traits>()

/** By its base name. */
export function traitsOf(base: string): Traits {
  const known = KNOWN.get(base)
  if (known !== undefined) return known
  const traits = found(base)
  if (KNOWN.size >= REMEMBERED) KNOWN.clear()
  KNOWN.set(base, traits)
  return traits
}

const PASSING = new Set(
  'bash sh dash zsh ksh env xargs timeout nice nohup setsid stdbuf ionice chrt taskset command flock sudo doas'.split(
    ' ',
  ),
)

/** `python3.11` is `python3`, `mkfs.ext4` stays what it is. */
const versionless = (base: string): string => base.replace(/[-.]?\d+(?:\.\d+)*$/, '')

function found(base: string): Traits {
  const program = knowledgeOf(base) ?? knowledgeOf(versionless(base))
  return {
    grammar: program ? compiled(program) : null,
    isClearing: base === 'env' || base === 'genv' || base === 'setpriv',
    isShell: isShell(base),
    isHooked: base === 'git' || base === 'run-parts',
    isCopying: copies(base),
    passesOutput: PASSING.has(base),
    isInline: writesWhatItIsTold(base),
    makesDirectories: base === 'mkdir',
    makesEnvironment: makesEnvironment(base),
    delegates: program === undefined || DELEGATING.has(base),
    printer: printerOf(base),
  }
}
