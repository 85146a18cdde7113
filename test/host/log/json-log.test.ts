import { describe, expect, it } from 'vitest'
import { createJsonLog } from '../../../src/host/log/json-log.js'

describe('the log', () => {
  it('writes one JSON line for each step at its level or above, and nothing below it', () => {
    const lines: string[] = []
    const log = createJsonLog(
      'info',
      (line) => lines.push(line),
      () => 0,
    )
    log('debug', 'quiet', {})
    log('info', 'started', { id: 'x', command: 'echo\nhi' })
    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"started","id":"x","command":"echo\\nhi"}\n',
    ])
  })

  it('refuses a level that does not exist, naming those that do', () => {
    expect(() => createJsonLog('loud', () => {}, Date.now)).toThrow(/debug, info, warn, error/)
    expect(() => createJsonLog('constructor', () => {}, Date.now)).toThrow(/debug, info, warn, error/)
  })
})
