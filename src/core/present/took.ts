/** `Took 1.5s`, `Took 2m 5.0s`. Rounded before it is split, so that no minute has sixty seconds. */
export function took(durationMs: number): string {
  const tenths = Math.round(Math.max(0, durationMs) / 100)
  const minutes = Math.floor(tenths / 600)
  const seconds = ((tenths - minutes * 600) / 10).toFixed(1)
  return minutes > 0 ? `Took ${minutes}m ${seconds}s` : `Took ${seconds}s`
}
