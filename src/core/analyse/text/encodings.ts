const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bits of `width` per character to text; null for anything outside the alphabet. */
function decode(text: string, alphabet: string, width: number): string | null {
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const c of text.replace(/\s/g, '').replace(/=+$/, '')) {
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
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
}

/** Padding in the middle starts anew, as `base64 -d` of joined files does. */
export function decodeBase64(text: string): string | null {
  const parts = text
    .replace(/\s/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .split(/(?<==)(?=[^=])/)
  // What is printed before the error of a malformed text is not followed.
  if (parts.some((part) => part.length % 4 !== 0 || /={3}/.test(part))) return null
  let out = ''
  for (const part of parts) {
    const piece = decode(part, BASE64, 6)
    if (piece === null) return null
    out += piece
  }
  return out
}

export const decodeBase32 = (text: string): string | null => decode(text.toUpperCase(), BASE32, 5)

export function decodeBase16(text: string): string | null {
  const digits = text.replace(/\s/g, '')
  if (!/^[0-9a-fA-F]*$/.test(digits)) return null
  const bytes = digits.match(/../g)?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes))
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
