const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** Returns the length of the character that starts with `byte`; 1 for an invalid start. */
function lengthFrom(byte: number): number {
  if (byte >= 0xf0 && byte <= 0xf4) return 4
  if (byte >= 0xe0 && byte <= 0xef) return 3
  return byte >= 0xc2 && byte <= 0xdf ? 2 : 1
}

/** Index of the first byte that starts a character, when what came before the bytes is not known. At most 3. */
export function firstBorder(bytes: Uint8Array): number {
  let at = 0
  while (at < 3 && isContinuation(bytes[at])) at += 1
  return at
}

/** `at`, or the end of the character that `at` would split. */
export function borderFrom(bytes: Uint8Array, at: number): number {
  const start = leadBefore(bytes, at)
  if (start === null) return at
  let end = start + 1
  const wanted = start + lengthFrom(bytes[start] as number)
  while (end < wanted && isContinuation(bytes[end])) end += 1
  return Math.max(at, end)
}

/** Returns the index of an incomplete character at the end, or the length if there is none. */
export function finishedEnd(bytes: Uint8Array): number {
  const start = leadBefore(bytes, bytes.length)
  if (start === null) return bytes.length
  return start + lengthFrom(bytes[start] as number) > bytes.length ? start : bytes.length
}

/** Returns the last lead byte before `at` that only continuation bytes follow. */
function leadBefore(bytes: Uint8Array, at: number): number | null {
  for (let i = at - 1; i >= 0 && i >= at - 3; i -= 1) {
    if (!isContinuation(bytes[i])) return i
  }
  return null
}
