/**
 * The one command of a call as agents start their shell: `TEXT`, `-c TEXT`, `-lc TEXT`, `--norc -l -c TEXT`. Null for
 * anything else.
 */
export function commandOf(words: readonly string[]): string | null {
  const at = words.findIndex((word) => !OPTION.test(word))
  const [text, ...others] = at === -1 ? [] : words.slice(at)
  const options = at === -1 ? words : words.slice(0, at)
  const isCommand = options.length === 0 || options.some((option) => /^-[a-z]*c/.test(option))
  return text === undefined || others.length > 0 || !isCommand ? null : text
}

/** Options that change nothing for one command in a sandbox: a login shell, and no start-up files. */
const OPTION = /^(?:-[cil]+|--login|--norc|--noprofile)$/
