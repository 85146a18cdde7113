/** Splits text into words as `xargs` does: at a delimiter, or at blanks with quotes and backslashes resolved. */
export function splitItems(text: string, delimiter: string | null): readonly string[] {
  if (delimiter !== null) {
    const items = text.split(delimiter)
    if (items.at(-1) === '') items.pop()
    return items
  }
  const items: string[] = []
  let current: string | null = null
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (c === "'" || c === '"') {
      const end = text.indexOf(c, i + 1)
      const quoted = text.slice(i + 1, end < 0 ? text.length : end)
      // An unclosed quote ends the input; earlier items still run.
      if (end < 0 || quoted.includes('\n')) return items.map(upToNul)
      current = (current ?? '') + quoted
      i = end
    } else if (c === '\\') current = (current ?? '') + (text[++i] ?? '')
    else if (/\s/.test(c)) {
      if (current !== null) items.push(current)
      current = null
    } else current = (current ?? '') + c
  }
  if (current !== null) items.push(current)
  return text.includes('\0') ? items.map(upToNul) : items
}

/** Splits text into lines as `xargs -I` does: leading blanks removed, quotes and backslashes resolved. */
export const splitLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => bareLine(line.replace(/^[ \t]+/, '')))
    .filter((line) => line !== '')

const bareLine = (line: string): string =>
  /["'\\]/.test(line)
    ? line.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, c) => single ?? double ?? c)
    : line

/** Cuts a text at its first NUL, which ends an argument or value. */
export const upToNul = (text: string): string => (text.includes('\0') ? text.slice(0, text.indexOf('\0')) : text)
