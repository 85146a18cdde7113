import { crc32 } from 'node:zlib'

const NEWLINE = 10
const HEAD = /^([0-9a-f]{8}) (\d{1,15})\n/
const HEAD_BYTES = 25

const checksum = (body: Buffer): string => crc32(body).toString(16).padStart(8, '0')

/**
 * Returns one frame of a journal: a line with checksum and length, then the body, which contains no such line. It
 * begins with a newline, because the frame before may be incomplete.
 */
export function framed(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`\n${checksum(body)} ${body.length}\n`), body])
}

/** Returns the body of the last complete frame; null if there is none. Incomplete and damaged frames are ignored. */
export function lastFrame(content: Buffer): Buffer | null {
  for (let at = content.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : content.lastIndexOf(NEWLINE, at - 1)) {
    const body = bodyAt(content, at + 1)
    if (body) return body
  }
  return null
}

function bodyAt(content: Buffer, at: number): Buffer | null {
  const head = HEAD.exec(content.toString('latin1', at, at + HEAD_BYTES))
  if (!head) return null
  const from = at + head[0].length
  const body = content.subarray(from, from + Number(head[2]))
  return body.length === Number(head[2]) && checksum(body) === head[1] ? body : null
}
