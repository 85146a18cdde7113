/** Code points of a text. */
export function countChars(text: string): number {
  let chars = text.length
  for (let i = 0; i < text.length - 1; i += 1) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) chars -= 1
  }
  return chars
}

/** The last `limit` code points. Never splits a surrogate pair. */
export function lastChars(text: string, limit: number): string {
  if (text.length <= limit) return text
  let at = text.length
  for (let taken = 0; taken < limit && at > 0; taken += 1) {
    at -= at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2)) ? 2 : 1
  }
  return text.slice(at)
}

/**
 * The tail a model is shown, under a header that says how much there was. `totalChars` is the true total of the stream;
 * `incomplete` says that something was lost before this step already.
 */
export function cut(
  text: string,
  limit: number,
  totalChars: number,
  incomplete: boolean,
): { readonly text: string; readonly truncated: boolean } {
  const shown = lastChars(text, limit)
  if (shown.length === text.length && !incomplete) return { text, truncated: false }
  const header = `[Output truncated: showing last ${countChars(shown)} chars of ${totalChars} chars]`
  return { text: `${header}\n${shown}`, truncated: true }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
