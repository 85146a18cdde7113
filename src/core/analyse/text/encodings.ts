const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes to text; null where they are none. */
function textOf(bytes: readonly number[]): string | null {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(Uint8Array.from(bytes))
  } catch {
    return null
  }
}

/** Bits of `width` per character to bytes; null for anything outside the alphabet. */
function decode(text: string, alphabet: string, width: number): readonly number[] | null {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const c of text.replace(/=+$/, '')) {
    const value = alphabet.indexOf(c)
    if (value < 0) return null
    bits = (bits << width) | value
    count += width
    if (count >= 8) {
      count -= 8
      bytes.push((bits >> count) & 0xff)
      bits &= (1 << count) - 1
    }
  }
  return bytes
}

/** Padding in the middle starts anew, as `base64 -d` of joined files does. `ignores`: other characters are passed over. */
export function decodeBase64(text: string, ignores: boolean): string | null {
  const parts = (ignores ? text.replace(/[^A-Za-z0-9+/=]/g, '') : text.replaceAll('\n', '')).split(/(?<==)(?=[^=])/)
  // What is printed before the error of a malformed text is not followed.
  if (parts.some((part) => part.length % 4 !== 0 || /={3}/.test(part))) return null
  const bytes: number[] = []
  for (const part of parts) {
    const piece = decode(part, BASE64, 6)
    if (piece === null) return null
    for (const byte of piece) bytes.push(byte)
  }
  return textOf(bytes)
}

export function decodeBase32(text: string, ignores: boolean): string | null {
  const digits = ignores ? text.replace(/[^A-Z2-7=]/g, '') : text.replaceAll('\n', '')
  const bytes = digits.length % 8 === 0 ? decode(digits, BASE32, 5) : null
  return bytes === null ? null : textOf(bytes)
}

export function decodeBase16(text: string): string | null {
  const digits = text.replace(/\s/g, '')
  if (!/^[0-9a-fA-F]*$/.test(digits)) return null
  return textOf(digits.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? [])
}

export function encodeBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let out = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    const left = bytes.length - i
    out += `${BASE64[(group >> 18) & 63]}${BASE64[(group >> 12) & 63]}${left > 1 ? BASE64[(group >> 6) & 63] : '='}${left > 2 ? BASE64[group & 63] : '='}`
  }
  return `${out.replace(/.{76}(?=.)/g, '$&\n')}\n`
}
