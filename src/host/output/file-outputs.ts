import { constants } from 'node:fs'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { CordonError } from '../../core/model/basics/errors.js'
import { resolveId } from '../../core/model/basics/id.js'
import type { Stream } from '../../core/model/basics/relay.js'
import { borderFrom } from '../../core/model/basics/utf8.js'
import type { OutputSink, Outputs } from '../../engine/ports/ports.js'
import { createPrivateFile, cutsOf, fileOf, idsIn, isSafeId, writeWhole } from './output-files.js'
import { prune } from './prune.js'
import { StreamFile } from './stream-file.js'

export interface FileOutputsOptions {
  readonly directory: string
  /** Limit per run, both streams together. Later output is counted and dropped. */
  readonly maxBytes: number
  /** Limit over all runs; the oldest are removed first. Default: ten full runs. */
  readonly totalBytes?: number
}

/** Limit of one read, because a response is copied several times in memory. */
const MOST_BYTES_PER_READ = 64 * 1024 * 1024
const RUNS_KEPT = 10
/** Bytes around a range that show where its characters begin and end. */
const MARGIN = 3

type Files = Readonly<Record<Stream, StreamFile>>

/** The full output of runs in private files. A character that a range would split belongs to the range it starts in. */
export function createFileOutputs({ directory, maxBytes, totalBytes }: FileOutputsOptions): Outputs {
  const running = new Map<string, Files>()
  return {
    open(id) {
      if (!isSafeId(id))
        throw new CordonError(
          'INVALID_ARGUMENTS',
          `${JSON.stringify(id)} is not a valid output id. Use letters, digits, - and _.`,
        )
      const files = createFiles(directory, id)
      running.set(id, files)
      prune(directory, Math.max(0, (totalBytes ?? maxBytes * RUNS_KEPT) - maxBytes), new Set(running.keys()))
      return sink(files, maxBytes, () => {
        running.delete(id)
        keepCuts(directory, id, files)
      })
    },
    async read(given, stream, from, to) {
      checkRange(from, to)
      const id = resolveId(given, idsIn(directory), notKept)
      running.get(id)?.[stream].flush()
      const handle = isSafeId(id) ? await openForReading(fileOf(directory, id, stream)) : null
      if (handle === null) throw notKept(id)
      try {
        const { size } = await handle.stat()
        const cut = running.get(id)?.[stream].cutBytes ?? (await readCuts(directory, id))[stream]
        return { text: await textOf(handle, from, Math.min(to, size)), totalBytes: size + cut }
      } finally {
        await handle.close()
      }
    },
  }
}

const notKept = (id: string): CordonError =>
  new CordonError('NOT_FOUND', `No output is kept for ${JSON.stringify(id)}. Run the command with --keep-output.`)

function createFiles(directory: string, id: string): Files {
  const stdout = new StreamFile(createPrivateFile(directory, fileOf(directory, id, 'stdout')))
  try {
    return { stdout, stderr: new StreamFile(createPrivateFile(directory, fileOf(directory, id, 'stderr'))) }
  } catch (error) {
    stdout.close()
    throw error
  }
}

function sink(files: Files, maxBytes: number, onClose: () => void): OutputSink {
  let left = maxBytes
  let open = true
  return {
    write(stream, bytes) {
      if (!open) return
      const kept = bytes.length <= left ? bytes : bytes.subarray(0, left)
      left -= kept.length
      files[stream].append(kept)
      files[stream].cutBytes += bytes.length - kept.length
    },
    async close() {
      if (!open) return
      open = false
      files.stdout.close()
      files.stderr.close()
      onClose()
    },
  }
}

const NO_CUTS: Readonly<Record<Stream, number>> = { stdout: 0, stderr: 0 }

/** The counts outlive the process; on a disk too full even for them, the files alone remain. */
function keepCuts(directory: string, id: string, { stdout, stderr }: Files): void {
  if (stdout.cutBytes + stderr.cutBytes === 0) return
  try {
    writeWhole(cutsOf(directory, id), directory, JSON.stringify({ stdout: stdout.cutBytes, stderr: stderr.cutBytes }))
  } catch {}
}

async function readCuts(directory: string, id: string): Promise<Readonly<Record<Stream, number>>> {
  try {
    const { stdout, stderr } = JSON.parse(await readFile(cutsOf(directory, id), 'utf8')) as Record<Stream, unknown>
    return { stdout: Number(stdout) || 0, stderr: Number(stderr) || 0 }
  } catch {
    return NO_CUTS
  }
}

async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  } catch {
    return null
  }
}

async function textOf(handle: FileHandle, from: number, to: number): Promise<string> {
  if (to <= from) return ''
  if (to - from > MOST_BYTES_PER_READ) {
    throw new CordonError(
      'INVALID_ARGUMENTS',
      `At most ${MOST_BYTES_PER_READ} bytes can be read at once. Use a smaller range.`,
    )
  }
  const base = Math.max(0, from - MARGIN)
  const window = Buffer.alloc(to + MARGIN - base)
  const { bytesRead } = await handle.read(window, 0, window.length, base)
  const bytes = window.subarray(0, bytesRead)
  const range = bytes.subarray(borderFrom(bytes, from - base), borderFrom(bytes, Math.min(to - base, bytesRead)))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(range)
}

function checkRange(from: number, to: number): void {
  const valid =
    Number.isSafeInteger(from) &&
    from >= 0 &&
    (to === Number.POSITIVE_INFINITY || Number.isSafeInteger(to)) &&
    to >= from
  if (!valid)
    throw new CordonError(
      'INVALID_ARGUMENTS',
      `The range ${from} to ${to} is not valid. Use byte offsets with 0 <= from <= to.`,
    )
}
