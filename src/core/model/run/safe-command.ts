import { CordonError } from '../basics/errors.js'

/** Names that bash reads as themselves and looks up as programs. */
const PLAIN_PROGRAM = /^[A-Za-z0-9_@+:,./][A-Za-z0-9_@%+:,./-]*$/
const KEYWORDS = new Set(
  'if then else elif fi case esac for select while until do done in function time coproc'.split(' '),
)
/** Builtins of bash that are no program, or a program that does something else. */
const BUILTINS = new Set(
  (
    '. : alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable ' +
    'eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray ' +
    'readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait'
  ).split(' '),
)

/** Quotes one argument, always: bash reads exactly these characters. Throws INVALID_ARGUMENTS for a NUL. */
export function escapeArg(arg: string): string {
  if (typeof arg !== 'string') throw invalid(`An argument must be a string, not ${typeof arg}.`)
  if (arg.includes('\0')) throw invalid('An argument cannot hold a NUL byte. Remove it.')
  return `'${arg.replaceAll("'", "'\\''")}'`
}

/**
 * Returns a line of shell that runs one program with exactly these arguments. Throws INVALID_ARGUMENTS for a name
 * that is empty, holds control characters, or is a builtin of bash, which would run in its place.
 */
export function buildCommand(program: string, args: readonly string[] = []): string {
  return [programWord(program), ...args.map(escapeArg)].join(' ')
}

function programWord(program: string): string {
  if (typeof program !== 'string' || program.trim() === '') throw invalid('The program must not be empty or blank.')
  if (/[\0-\x1f\x7f]/.test(program)) throw invalid('The name of a program cannot hold control characters.')
  if (BUILTINS.has(program)) throw invalid(`"${program}" is a builtin of bash and no program. Write a script instead.`)
  if (program.startsWith('%')) throw invalid('Bash reads a name that begins with % as a job. Write a script instead.')
  return PLAIN_PROGRAM.test(program) && !KEYWORDS.has(program) ? program : escapeArg(program)
}

const invalid = (message: string): CordonError => new CordonError('INVALID_ARGUMENTS', message)
