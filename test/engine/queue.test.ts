import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/model/basics/limits.js'
import { createQueue } from '../../src/engine/tasks/queue.js'

const never = new AbortController().signal
const settledYet = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])

describe('the queue', () => {
  it('an agent runs up to its limit, and its next command waits for a slot', async () => {
    const queue = createQueue(10)
    const first = await queue.enter('a', 1, never)
    const second = queue.enter('a', 1, never)
    expect(await settledYet(second)).toBe(false)
    first()
    expect(await settledYet(second)).toBe(true)
  })

  it('an agent at its limit does not delay another', async () => {
    const queue = createQueue(10)
    await queue.enter('a', 1, never)
    void queue.enter('a', 1, never)
    expect(await settledYet(queue.enter('b', 1, never))).toBe(true)
  })

  it('waiting agents take turns, independent of the number of their commands', async () => {
    const queue = createQueue(1)
    const order: string[] = []
    const gate = await queue.enter('first', 9, never)
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(async (name) => {
      const leave = await queue.enter(name[0] ?? '', 9, never)
      order.push(name)
      leave()
    })
    gate()
    await Promise.all(all)
    expect(order.slice(0, 3).map((name) => name[0])).toEqual(['a', 'b', 'c'])
    expect(order).toHaveLength(5)
  })

  it('a command cancelled while waiting leaves the queue', async () => {
    const queue = createQueue(1)
    const leave = await queue.enter('a', 9, never)
    const abort = new AbortController()
    const waiting = queue.enter('a', 9, abort.signal)
    abort.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(queue.counts()).toEqual([{ agent: 'a', running: 1, waiting: 0, ceiling: 9 }])
    leave()
    expect(queue.counts()).toEqual([])
  })

  it('releasing a slot twice frees it once', async () => {
    const queue = createQueue(1)
    const leave = await queue.enter('a', 1, never)
    leave()
    leave()
    await queue.enter('a', 1, never)
    expect(await settledYet(queue.enter('a', 1, never))).toBe(false)
  })

  it('an agent with too many waiting commands is refused', async () => {
    const queue = createQueue(1)
    await queue.enter('a', 1, never)
    for (let i = 0; i < LIMITS.queuePerAgent; i++) void queue.enter('a', 1, never)
    await expect(queue.enter('a', 1, never)).rejects.toMatchObject({ code: 'TOO_BUSY' })
  })
})
