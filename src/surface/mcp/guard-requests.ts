import { Transform, type TransformCallback } from 'node:stream'

/** A command is at most 1 MB; JSON may double it. */
const MAX_LINE_BYTES = 4 * 1024 * 1024
const MAX_UNDER_WAY = 1_000
const INVALID_REQUEST = -32_600

type RequestId = string | number
type Refuse = (id: RequestId | null, message: string) => void

/**
 * Passes a client's lines on to the protocol library and answers those that it would leave unanswered or mix up: a
 * line that is too long, a request whose id is still in use, a progress token that is neither text nor number.
 */
export class RequestGuard extends Transform {
  readonly #refuse: Refuse
  readonly #underWay = new Set<RequestId>()
  #line: Buffer[] = []
  #bytes = 0
  #isTooLong = false

  constructor(refuse: Refuse) {
    super()
    this.#refuse = refuse
  }

  /** Frees the id of a request that was answered. */
  answered(message: unknown): void {
    const { id, method } = fieldsOf(message)
    if (isId(id) && method === undefined) this.#underWay.delete(id)
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end + 1))
      this.#endLine()
      from = end + 1
    }
    this.#add(chunk.subarray(from))
    done()
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > MAX_LINE_BYTES) {
      this.#isTooLong = true
      this.#line = []
    } else if (part.length > 0) this.#line.push(part)
  }

  #endLine(): void {
    const line = Buffer.concat(this.#line)
    const tooLong = this.#isTooLong
    this.#line = []
    this.#bytes = 0
    this.#isTooLong = false
    if (tooLong) this.#refuse(null, `The message is longer than ${MAX_LINE_BYTES} bytes. Send less at once.`)
    else if (this.#isAccepted(line)) this.push(line)
  }

  #isAccepted(line: Buffer): boolean {
    const { id, method, params } = fieldsOf(parsed(line))
    if (method === undefined || id === undefined) return true
    if (!isId(id)) return this.#refused(null, 'The id of a request must be text or a number.')
    const { progressToken } = fieldsOf(fieldsOf(params)._meta)
    if (progressToken !== undefined && !isId(progressToken))
      return this.#refused(id, 'progressToken must be text or a number.')
    if (this.#underWay.has(id))
      return this.#refused(null, `The id ${JSON.stringify(id)} is in use by a running request.`)
    if (this.#underWay.size >= MAX_UNDER_WAY)
      return this.#refused(id, `More than ${MAX_UNDER_WAY} requests are running.`)
    this.#underWay.add(id)
    return true
  }

  #refused(id: RequestId | null, message: string): false {
    this.#refuse(id, message)
    return false
  }
}

/** The answer to a request that is not passed on. */
export const refusalLine = (id: RequestId | null, message: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`

const isId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number'

/** Nothing for what is no object: the library answers for it. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}
