import type { Stream } from '../model/basics/relay.js'
import type { Captured } from '../model/run/captured.js'
import type { Command } from '../model/run/request.js'
import type { FilterReport } from '../model/run/result.js'
import { clean } from './clean.js'
import { countChars, cut, lastChars } from './cut.js'
import type { Filter } from './filters/filter.js'
import { applyFilter, type Chosen, chooseFilter, type Filtered, reportOn } from './filters/registry.js'

export interface PresentInput {
  readonly command: Command
  /** The argument vectors of the programs the command runs, as far as they are known. */
  readonly argvs: readonly (readonly string[])[]
  readonly captured: Captured
  readonly exitCode: number
  /** False when the command failed in any way, a timeout or a cancel included. */
  readonly ok: boolean
  readonly presentedChars: number
  readonly filters: boolean
  /** Filters of the program, before those of Cordon. */
  readonly ownFilters?: readonly Filter[]
}

export interface Presented {
  readonly stdout: string
  readonly stderr: string
  /** Both in order of arrival. */
  readonly output: string
  readonly truncated: boolean
  readonly filter: FilterReport | null
}

/**
 * Filters see at most this many times what is shown in the end; splitting ten megabytes into lines would cost
 * hundreds.
 */
const FILTERED_FACTOR = 20

/**
 * Output a model can use: decoded, cleaned of terminal control, filtered, cut to its tail. Never guesses about
 * success.
 */
export function present(input: PresentInput): Presented {
  const { captured, presentedChars } = input
  const chosen = input.filters ? chooseFilter(input.argvs, input.ownFilters) : null
  const ok = input.ok && input.exitCode === 0
  const shape = (text: string): Shaped => shapeText(clean(text), chosen, ok, presentedChars * FILTERED_FACTOR)
  const stdout = shape(decode(captured.stdout.bytes))
  const stderr = shape(decode(captured.stderr.bytes))
  const output =
    captured.stdout.totalBytes === 0 || captured.stderr.totalBytes === 0 ? null : shape(interleave(captured))
  const out = cut(stdout.text, presentedChars, captured.stdout.totalChars, stdout.cut || captured.stdout.truncated)
  const err = cut(stderr.text, presentedChars, captured.stderr.totalChars, stderr.cut || captured.stderr.truncated)
  const total = captured.stdout.totalChars + captured.stderr.totalChars
  const lost = captured.stdout.truncated || captured.stderr.truncated
  const both = output === null ? null : cut(output.text, presentedChars, total, output.cut || lost)
  return {
    stdout: out.text,
    stderr: err.text,
    output: both?.text ?? out.text + err.text,
    truncated: out.truncated || err.truncated,
    filter: chosen === null ? null : report(chosen, [stdout, stderr]),
  }
}

interface Shaped {
  readonly text: string
  /** The beginning was given up before filtering. */
  readonly cut: boolean
  readonly raw: string
  readonly filtered: Filtered | null
}

function shapeText(cleaned: string, chosen: Chosen | null, ok: boolean, limit: number): Shaped {
  if (chosen === null || cleaned === '') return { text: cleaned, cut: false, raw: cleaned, filtered: null }
  const raw = fromLineStart(cleaned, lastChars(cleaned, limit))
  const filtered = applyFilter(chosen, raw, ok)
  return { text: filtered.text, cut: raw.length < cleaned.length, raw, filtered }
}

/** A tail that was cut starts at a whole line where it has one, so that no filter judges half a line. */
function fromLineStart(text: string, tail: string): string {
  return tail.length === text.length ? text : tail.slice(tail.indexOf('\n') + 1)
}

const report = (chosen: Chosen, shaped: readonly Shaped[]): FilterReport =>
  reportOn(
    chosen,
    shaped.flatMap(({ raw, filtered }) => (filtered === null ? [] : [{ raw, filtered }])),
    countChars,
  )

const decoder = () => new TextDecoder('utf-8', { ignoreBOM: true })
const decode = (bytes: Uint8Array): string => decoder().decode(bytes)

/** Each stream keeps its own decoder: a character may be cut in two by a piece of the other stream. */
function interleave({ stdout, stderr, interleaved }: Captured): string {
  const streams: Record<Stream, { bytes: Uint8Array; decoder: ReturnType<typeof decoder> }> = {
    stdout: { bytes: stdout.bytes, decoder: decoder() },
    stderr: { bytes: stderr.bytes, decoder: decoder() },
  }
  const parts = interleaved.map(({ stream, from, to }) =>
    streams[stream].decoder.decode(streams[stream].bytes.subarray(from, to), { stream: true }),
  )
  return parts.join('') + streams.stdout.decoder.decode() + streams.stderr.decoder.decode()
}
