/** Splits text into words as `xargs` does: at a delimiter, or at blanks with quotes and backslashes understood. */
export function splitItems(text: string, delimiter: string | null): readonly string[] {
  if (delimiter === '\n')
    return text
      .split('\n')
      .map((line) => line.replace(/^[ \t]+/, ''))
      .filter((line) => line !== '')
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
      current = (current ?? '') + text.slice(i + 1, end < 0 ? text.length : end)
      i = end < 0 ? text.length : end
    } else if (c === '\\') current = (current ?? '') + (text[++i] ?? '')
    else if (/\s/.test(c)) {
      if (current !== null) items.push(current)
      current = null
    } else current = (current ?? '') + c
  }
  if (current !== null) items.push(current)
  return items
}
