import type { Io, Screen } from './io.js'

export interface Paint {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

const wrap =
  (enabled: boolean, open: number, close: number) =>
  (text: string): string =>
    enabled && text !== '' ? `\u001b[${open}m${text}\u001b[${close}m` : text

export const createPaint = (enabled: boolean): Paint => ({
  bold: wrap(enabled, 1, 22),
  dim: wrap(enabled, 2, 22),
  red: wrap(enabled, 31, 39),
  green: wrap(enabled, 32, 39),
  yellow: wrap(enabled, 33, 39),
  cyan: wrap(enabled, 36, 39),
})

/** Decides by `--no-color`, FORCE_COLOR, NO_COLOR and whether the stream is a terminal, in Node's own order. */
export function paintFor(screen: Screen, { env }: Io, wanted: boolean): Paint {
  if (!wanted) return createPaint(false)
  if (env.FORCE_COLOR !== undefined) return createPaint(env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false')
  if (env.NO_COLOR) return createPaint(false)
  return createPaint(screen.isTTY === true && env.TERM !== 'dumb')
}
