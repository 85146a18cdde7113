import { crc32 } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20

/** Returns numbers as two or four bytes each. */
const words = (...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    numbers.map(([bytes, value]) => {
      const word = Buffer.alloc(bytes)
      word.writeUIntLE(value, 0, bytes)
      return word
    }),
  )

/** Builds an uncompressed zip archive of texts, such as a wheel for pip. */
export function storedZip(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const bodies: Buffer[] = []
  const index: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const data = Buffer.from(text)
    const common = words(
      [2, VERSION],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, crc32(data)],
      [4, data.length],
      [4, data.length],
      [2, name.length],
      [2, 0],
    )
    const body = Buffer.concat([words([4, LOCAL]), common, Buffer.from(name), data])
    index.push(
      words([4, CENTRAL], [2, VERSION]),
      common,
      words([2, 0], [2, 0], [2, 0], [4, 0], [4, at]),
      Buffer.from(name),
    )
    bodies.push(body)
    at += body.length
  }
  const length = Buffer.concat(index).length
  const end = words([4, END], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, at], [2, 0])
  return Buffer.concat([...bodies, ...index, end])
}
