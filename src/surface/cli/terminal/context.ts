import { toSnakeCase } from '../../../core/present/snake-case.js'
import type { CliDependencies, CliEngine, OpenOptions } from './dependencies.js'
import { type Io, write } from './io.js'
import { type Paint, paintFor } from './style.js'

/** Passed to the action of every command. */
export interface Cli extends CliDependencies {
  readonly io: Io
  /** Hands the exit status to `main`. */
  readonly exit: (status: number) => void
}

const WIDTH_OF_NOTHING = 80

/** A terminal that does not know its width says 0. */
export const columnsOf = (io: Io): number => io.stderr.columns || io.stdout.columns || WIDTH_OF_NOTHING

export const sayOut = ({ io }: Cli, text: string): Promise<void> => write(io.stdout, text)

export const sayErr = ({ io }: Cli, text: string): Promise<void> => write(io.stderr, text)

/**
 * Escapes characters that a terminal obeys or hides: C1 controls, direction marks, invisible ones. Parsers read the
 * same value.
 */
const asciiSafe = (json: string): string =>
  json.replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Returns one line of JSON. */
export const jsonLine = (value: unknown): string => `${asciiSafe(JSON.stringify(value))}\n`

/** Prints one line of JSON, its keys in snake_case. */
export const sayJson = (cli: Cli, value: unknown): Promise<void> => sayOut(cli, jsonLine(toSnakeCase(value)))

export const paintOut = ({ io }: Cli, { color }: { readonly color: boolean }): Paint => paintFor(io.stdout, io, color)

export const paintErr = ({ io }: Cli, { color }: { readonly color: boolean }): Paint => paintFor(io.stderr, io, color)

/** Opens an engine for one command and always closes it. */
export async function withEngine<T>(
  { io, openEngine }: Cli,
  use: (engine: CliEngine) => Promise<T>,
  options: Omit<OpenOptions, 'workspace'> = {},
): Promise<T> {
  const engine = await openEngine({ workspace: io.cwd, ...options })
  try {
    return await use(engine)
  } finally {
    await engine.close()
  }
}
