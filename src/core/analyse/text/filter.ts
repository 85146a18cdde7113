import type { Work } from './work.js'

/** One call of a text filter: the files it reads, and what it makes of their text; null where that is not followed. */
export interface FilterCall {
  readonly files: readonly string[]
  readonly change: (text: string, work: Work) => string | null
  /** Prints exactly what it reads. */
  readonly identity?: boolean
}

export interface Filter {
  /** Reads its arguments, the program's name not among them. Null where they are not understood. */
  readonly read: (args: readonly string[]) => FilterCall | null
  /** False for programs that print without reading anything. */
  readonly usesInput: boolean
}

/** A program that changes what it reads. */
export const filter = (read: Filter['read']): Filter => ({ read, usesInput: true })

/** A program that prints and reads nothing. */
export const source = (print: (args: readonly string[]) => string | null): Filter => ({
  read: (args) => ({ files: [], change: () => print(args) }),
  usesInput: false,
})

export const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)
export const isOption = (arg: string): boolean => arg.length > 1 && arg.startsWith('-')
export const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !isOption(arg))
export const lines = (text: string): string[] => {
  const all = text.split('\n')
  if (all.at(-1) === '') all.pop()
  return all
}
export const unlines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
