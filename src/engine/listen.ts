import type { Event } from '../core/model/event.js'
import type { Result } from '../core/model/result.js'
import { follow } from './follow.js'

/** Looks at one field of options that nobody has checked yet. */
export const checkedField = (options: unknown, name: string): unknown =>
  typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined

/** What became of the changes, where there were any. */
export function emitSettled({ id, transaction: report }: Result, emit: (event: Event) => void): void {
  if (!report) return
  const { outcome } = report
  if (outcome === 'rolled-back' || outcome === 'committed' || outcome === 'waiting-for-review') {
    emit({ type: outcome, id, report })
  }
}

export const ignore = (): void => {}

/** A listener that throws must not decide how a command ends. */
export function emitter(options: unknown): (event: Event) => void {
  const onEvent = checkedField(options, 'onEvent')
  if (typeof onEvent !== 'function') return ignore
  return (event) => {
    try {
      onEvent(event)
    } catch {
      // The listener's own affair.
    }
  }
}

/** Cancels when the caller's own signal does. */
export function followSignal(options: unknown, abort: AbortController): () => void {
  const signal = checkedField(options, 'signal')
  return signal instanceof AbortSignal ? follow(signal, () => abort.abort()) : ignore
}
