import { fstatSync, write } from 'node:fs'
import { Writable } from 'node:stream'

/**
 * A descriptor of a regular file or a device such as /dev/null. A terminal, a pipe and a socket have streams of their
 * own.
 */
export function isPlainFile(fd: number, isTTY: boolean): boolean {
  const stats = fstatSync(fd)
  return stats.isFile() || (stats.isCharacterDevice() && !isTTY)
}

/** Writes to a file descriptor without blocking the event loop. Node's own stdout loses the rest of a partial write. */
export const fileScreen = (fd: number): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => writeAll(fd, chunk, done),
  })

function writeAll(fd: number, bytes: Buffer, done: (error?: Error | null) => void): void {
  write(fd, bytes, 0, bytes.length, null, (error, written) => {
    if (error || written === bytes.length) done(error)
    else writeAll(fd, bytes.subarray(written), done)
  })
}
