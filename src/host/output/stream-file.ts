import { closeSync, writeSync } from 'node:fs'

/** Small chunks are gathered up to this before they are written. */
const BUFFER_BYTES = 64 * 1024

/**
 * Appends to one file with synchronous writes. So the disk slows a fast program down instead of output filling the
 * memory. A full disk stops the file but not the command; unwritten bytes are counted.
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
