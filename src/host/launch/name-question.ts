const HEAD_BYTES = 12
/** Longer ones come over TCP only, and ask for nothing that is known here. */
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
/** Answers of ours stay true as long as the network does. */
const TTL_SECONDS = 60

/** What a program asks a name server: one name, of one kind. */
export interface Question {
  readonly name: string
  /** It asks for an IPv4 address. */
  readonly wantsAddress: boolean
  /** Header and question as they came. */
  readonly raw: Buffer
}

/** An address; nothing of the kind asked for; no such name; or that it cannot be told. */
export type Answer = { readonly address: string } | 'nothing' | 'no such name' | 'failure'

/** Labels to their end; null for what is too long, empty, cut off, compressed, or made of other bytes than names of hosts are. */
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

/** A question; `null` for what deserves no answer at all; a refusal for whatever else is none. */
export function questionIn(bytes: Buffer): Question | Buffer | null {
  // Answers and fragments are not answered: that could go on for ever.
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
  // An answer; recursion as it was desired; recursion is available.
  bytes[2] = 0x80 | ((asked[2] ?? 0) & 0x79)
  bytes[3] = 0x80 | code
  counts.forEach((count, index) => {
    bytes.writeUInt16BE(count, 4 + 2 * index)
  })
  return bytes
}

const refusal = (asked: Buffer, code: number): Buffer => head(asked, code, [0, 0])

const CODES = { nothing: 0, 'no such name': NO_SUCH_NAME, failure: SERVER_FAILURE } as const

/** The answer as bytes. The question is sent back as it came: some compare even the case of its letters. */
export function answerTo({ raw }: Question, answer: Answer): Buffer {
  const asked = raw.subarray(HEAD_BYTES)
  if (typeof answer === 'string') return Buffer.concat([head(raw, CODES[answer], [1, 0]), asked])
  const record = Buffer.from([0xc0, HEAD_BYTES, 0, ADDRESS, 0, INTERNET, 0, 0, 0, TTL_SECONDS, 0, 4])
  return Buffer.concat([head(raw, 0, [1, 1]), asked, record, Buffer.from(answer.address.split('.').map(Number))])
}
