import type { Arg } from './programs/knowledge.js'

/** Words of a command line, and what stands behind an equals sign in them: a program may print them. */
export function wordsOf(args: readonly Arg[]): readonly string[] {
  const words: string[] = []
  for (const arg of args.slice(1, 17)) {
    const text = arg.text ?? arg.unknown?.glob ?? ''
    if (text === '' || text.length > 4_096) continue
    words.push(text)
    // What `sed` puts in the place of something else.
    const replacement = /^\d*s([/|,#@!])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1/s.exec(text)?.[2]
    if (replacement) words.push(replacement.replace(/\\(.)/gs, '$1'))
    const equals = text.indexOf('=')
    if (equals >= 0) words.push(text.slice(equals + 1))
  }
  return words
}
