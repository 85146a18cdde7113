import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/core/model/limits.js'
import { createQueue } from '../../src/engine/queue.js'

const never = new AbortController().signal
const settledYet = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])

describe('the queue', () => {
  it('lets an agent run up to its ceiling and makes the next one wait until a place is given back', async () => {
    const queue = createQueue(10)
    const first = await queue.enter('a', 1, never)
    const second = queue.enter('a', 1, never)
    expect(await settledYet(second)).toBe(false)
    first()
    expect(await settledYet(second)).toBe(true)
  })

  it('does not let one agent at its ceiling hold up another', async () => {
    const queue = createQueue(10)
    await queue.enter('a', 1, never)
    void queue.enter('a', 1, never)
    expect(await settledYet(queue.enter('b', 1, never))).toBe(true)
  })

  it('lets waiting agents take turns, however many commands one of them has waiting', async () => {
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

  it('gives up its place in line when it is cancelled while waiting', async () => {
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

  it('gives a place back only once, however often it is asked to', async () => {
    const queue = createQueue(1)
    const leave = await queue.enter('a', 1, never)
    leave()
    leave()
    await queue.enter('a', 1, never)
    expect(await settledYet(queue.enter('a', 1, never))).toBe(false)
  })

  it('refuses an agent that has too many waiting already', async () => {
    const queue = createQueue(1)
    await queue.enter('a', 1, never)
    for (let i = 0; i < LIMITS.queuePerAgent; i++) void queue.enter('a', 1, never)
    await expect(queue.enter('a', 1, never)).rejects.toMatchObject({ code: 'TOO_BUSY' })
  })
})
