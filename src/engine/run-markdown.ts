import { checkValue } from '../core/model/basics/check-value.js'
import { CordonError } from '../core/model/basics/errors.js'
import { MarkdownSteps } from '../core/model/run/markdown-steps.js'
import type { Result } from '../core/model/run/result.js'
import { toText } from '../core/present/text-form.js'
import type { CheckResult, CommandInput, MarkdownOptions, MarkdownOutcome, RunOptions } from './api.js'
import { type RunOne, withDetails } from './run-many.js'

interface Runs {
  readonly run: RunOne
  readonly check: (command: CommandInput, options?: RunOptions) => CheckResult
}

/**
 * Runs the fenced bash blocks of a reply in order. A block that is refused, held, ended by its timeout or never
 * started ends the reply, unless `continueOnError`; `next` is the block to go on `from`.
 */
export async function runMarkdown(
  { run, check }: Runs,
  reply: string,
  { continueOnError, from, ...given }: MarkdownOptions = {},
): Promise<MarkdownOutcome | null> {
  if (typeof reply !== 'string') throw new CordonError('INVALID_ARGUMENTS', 'The reply must be a string of Markdown.')
  const steps = checkValue(MarkdownSteps, { continueOnError, from }, 'options')
  const { extractBlocks } = await import('../core/present/markdown-blocks.js')
  const blocks = extractBlocks(reply)
  if (blocks.length === 0) return null
  const reached = new Reached(blocks.length)
  let { approval, ...options }: RunOptions = given
  for (const [index, block] of blocks.entries()) {
    if (index < steps.from) continue
    const isAsked = approval !== undefined && check(block, options).verdict === 'ask'
    try {
      const result = await run(block, isAsked ? { ...options, approval } : options)
      reached.add(result)
      if (!steps.continueOnError && isOver(result)) return reached.outcome(index + 1)
    } catch (thrown) {
      if (!(thrown instanceof CordonError) || !steps.continueOnError)
        throw withDetails(thrown, { ...reached.outcome(index), summary: reached.summary })
      reached.fail(block, index, thrown)
    }
    if (isAsked) approval = undefined
  }
  return reached.outcome(null)
}

const isOver = ({ timedOut, cancelled, ending }: Result): boolean => timedOut || cancelled || ending.how === 'refused'

/** Collects the results of the blocks, and the texts of the summary. */
class Reached {
  readonly #blocks: number
  readonly #results: Result[] = []
  readonly #errors: { readonly block: number; readonly error: CordonError }[] = []
  readonly #texts: string[] = []

  constructor(blocks: number) {
    this.#blocks = blocks
  }

  add(result: Result): void {
    this.#results.push(result)
    this.#texts.push(`$ ${result.command}\n${toText(result)}`)
  }

  fail(block: string, index: number, error: CordonError): void {
    this.#errors.push({ block: index, error })
    this.#texts.push(`$ ${block}\n${error.message}`)
  }

  /** The results so far, as a model reads them. */
  get summary(): string {
    return this.#texts.join('\n\n')
  }

  outcome(next: number | null): MarkdownOutcome {
    const left = next === null ? 0 : this.#blocks - next
    const rest = left > 0 ? [`${left} of ${this.#blocks} blocks did not run.`] : []
    return {
      blocks: this.#blocks,
      results: [...this.#results],
      errors: [...this.#errors],
      next: left > 0 ? next : null,
      filter: totalOf(this.#results),
      summary: [...this.#texts, ...rest].join('\n\n'),
    }
  }
}

const WORST = ['fallback', 'partial', 'full'] as const

function totalOf(results: readonly Result[]): MarkdownOutcome['filter'] {
  const filters = results.flatMap(({ filter }) => (filter === null ? [] : [filter]))
  if (filters.length === 0) return null
  const sum = (key: 'rawChars' | 'keptChars' | 'rawLines' | 'keptLines'): number =>
    filters.reduce((total, filter) => total + filter[key], 0)
  return {
    confidence: WORST.find((one) => filters.some(({ confidence }) => confidence === one)) ?? 'full',
    rawChars: sum('rawChars'),
    keptChars: sum('keptChars'),
    rawLines: sum('rawLines'),
    keptLines: sum('keptLines'),
  }
}
