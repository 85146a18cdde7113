import { closeSync, writeSync } from 'node:fs'

/** Small chunks are gathered up to this before they are written. */
const BUFFER_BYTES = 64 * 1024

/**
 * Appends to one file. Writes are synchronous: a program that prints faster than the disk takes it is slowed down instead of
 * filling the memory. A disk that is full stops the file and not the command; what was not written is counted.
 */
export class StreamFile {
  readonly #descriptor: number
  readonly #buffer = new Uint8Array(BUFFER_BYTES)
  #buffered = 0
  #failed = false
  cutBytes = 0

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  append(bytes: Uint8Array): void {
    if (this.#buffered + bytes.length > BUFFER_BYTES) this.flush()
    if (bytes.length >= BUFFER_BYTES) this.#write(bytes)
    else {
      this.#buffer.set(bytes, this.#buffered)
      this.#buffered += bytes.length
    }
  }

  flush(): void {
    const buffered = this.#buffer.subarray(0, this.#buffered)
    this.#buffered = 0
    this.#write(buffered)
  }

  close(): void {
    this.flush()
    closeSync(this.#descriptor)
  }

  #write(bytes: Uint8Array): void {
    let at = 0
    try {
      while (at < bytes.length && !this.#failed) at += writeSync(this.#descriptor, bytes, at, bytes.length - at)
    } catch {
      this.#failed = true
    }
    this.cutBytes += bytes.length - at
  }
}
