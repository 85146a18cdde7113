const HEAD_BYTES = 12
/** Longest question. Longer ones come over TCP only, and ask for nothing that is known here. */
const QUESTION_BYTES = 512
const MAX_NAME = 253
const MAX_LABEL = 63
const LABEL = /^[a-z0-9_-]+$/i

const FORMAT_ERROR = 1
const NO_SUCH_NAME = 3
const SERVER_FAILURE = 2
const NOT_IMPLEMENTED = 4
const INTERNET = 1
const ADDRESS = 1
const ANY = 255
/** Lifetime of an answer. Answers are valid as long as the network exists. */
const TTL_SECONDS = 60

/** Question to a name server: one name, of one kind. */
export interface Question {
  readonly name: string
  /** True if it asks for an IPv4 address. */
  readonly wantsAddress: boolean
  /** Header and question as received. */
  readonly raw: Buffer
}

/** Answer: an address, no record of that kind, no such name, or a failure. */
export type Answer = { readonly address: string } | 'nothing' | 'no such name' | 'failure'

/**
 * Reads labels to their end. Returns null for a name that is too long, empty, cut off, compressed, or contains bytes
 * that host names do not.
 */
function nameAt(bytes: Buffer): { readonly name: string; readonly end: number } | null {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (;;) {
    const length = bytes[at]
    if (length === undefined || length > MAX_LABEL) return null
    at += 1
    if (length === 0) break
    const label = bytes.toString('latin1', at, at + length)
    if (label.length < length || !LABEL.test(label)) return null
    labels.push(label)
    at += length
  }
  const name = labels.join('.')
  return name === '' || name.length > MAX_NAME ? null : { name: name.toLowerCase(), end: at }
}

/** Parses a question. Returns `null` for a message without an answer, and a refusal for any other message. */
export function questionIn(bytes: Buffer): Question | Buffer | null {
  // Answers and fragments get no answer, which prevents endless loops.
  if (bytes.length < HEAD_BYTES || ((bytes[2] ?? 0) & 0x80) !== 0) return null
  const operation = ((bytes[2] ?? 0) >> 3) & 0x0f
  if (operation !== 0) return refusal(bytes, NOT_IMPLEMENTED)
  const found = bytes.length > QUESTION_BYTES || bytes.readUInt16BE(4) !== 1 ? null : nameAt(bytes)
  if (found === null || bytes.length < found.end + 4) return refusal(bytes, FORMAT_ERROR)
  const kind = bytes.readUInt16BE(found.end)
  if (bytes.readUInt16BE(found.end + 2) !== INTERNET) return refusal(bytes, NOT_IMPLEMENTED)
  const wantsAddress = kind === ADDRESS || kind === ANY
  return { name: found.name, wantsAddress, raw: Buffer.from(bytes.subarray(0, found.end + 4)) }
}

function head(asked: Buffer, code: number, counts: readonly [questions: number, answers: number]): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES)
  asked.copy(bytes, 0, 0, 2)
  // Flags: an answer, recursion as desired, recursion available.
  bytes[2] = 0x80 | ((asked[2] ?? 0) & 0x79)
  bytes[3] = 0x80 | code
  counts.forEach((count, index) => {
    bytes.writeUInt16BE(count, 4 + 2 * index)
  })
  return bytes
}

const refusal = (asked: Buffer, code: number): Buffer => head(asked, code, [0, 0])

const CODES = { nothing: 0, 'no such name': NO_SUCH_NAME, failure: SERVER_FAILURE } as const

/** Encodes the answer. Repeats the question as received, because some resolvers compare the case of its letters. */
export function answerTo({ raw }: Question, answer: Answer): Buffer {
  const asked = raw.subarray(HEAD_BYTES)
  if (typeof answer === 'string') return Buffer.concat([head(raw, CODES[answer], [1, 0]), asked])
  const record = Buffer.from([0xc0, HEAD_BYTES, 0, ADDRESS, 0, INTERNET, 0, 0, 0, TTL_SECONDS, 0, 4])
  return Buffer.concat([head(raw, 0, [1, 1]), asked, record, Buffer.from(answer.address.split('.').map(Number))])
}
