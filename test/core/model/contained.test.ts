import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { contained } from '../../../src/core/model/basics/contained.js'

it('hands on what a handler throws instead of ending the process', () => {
  const emitter = new EventEmitter()
  const heard: unknown[] = []
  const failure = new Error('odd bytes')
  const hear = (bytes: string): void => {
    if (bytes === 'odd') throw failure
    heard.push(bytes)
  }
  emitter.on(
    'data',
    contained(hear, (error) => heard.push(error)),
  )
  for (const bytes of ['a', 'odd', 'b']) emitter.emit('data', bytes)
  expect(heard).toEqual(['a', failure, 'b'])
})
