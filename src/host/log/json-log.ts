import { CordonError } from '../../core/model/basics/errors.js'
import { toSnakeCase } from '../../core/present/snake-case.js'
import type { Log, LogLevel } from '../../engine/ports/ports.js'

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** Writes one JSON object per line, with keys in snake_case, for the levels from `level` up. */
export function createJsonLog(level: string, write: (line: string) => void, now: () => number): Log {
  if (!isLevel(level)) {
    throw new CordonError(
      'INVALID_ARGUMENTS',
      `CORDON_LOG is ${JSON.stringify(level)}. Use one of ${Object.keys(RANK).join(', ')}.`,
    )
  }
  return (at, message, fields) => {
    if (RANK[at] >= RANK[level])
      write(`${JSON.stringify(toSnakeCase({ time: new Date(now()).toISOString(), level: at, message, ...fields }))}\n`)
  }
}

const isLevel = (text: string): text is LogLevel => Object.hasOwn(RANK, text)
