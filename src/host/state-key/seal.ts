import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const NONCE = 12
const TAG = 16

/** Encrypts and authenticates a text for one name: under another name, edited or cut, it cannot be opened. */
export function seal(key: Buffer, name: string, text: string): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(name))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Returns the text that was sealed for this name, or null. */
export function unseal(key: Buffer, name: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < NONCE + TAG) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(Buffer.from(name))
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

export const sign = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** Reports whether the signature is that of the text. Takes the same time for every wrong one. */
export function isSigned(key: Buffer, text: string, signature: string): boolean {
  const [right, given] = [Buffer.from(sign(key, text)), Buffer.from(signature)]
  return right.length === given.length && timingSafeEqual(right, given)
}
