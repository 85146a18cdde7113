/** The most that matching one line may cost. */
export const LINE_COST = 250_000

/** Estimates what it costs to match a regular expression: two repetitions in a row are tried at all pairs of positions, and so on. */
export const costOf = (source: string, perChar: number) => {
  const repeats = source.match(/[*+}]/g)?.length ?? 0
  const free = repeats + (source.startsWith('^') ? 0 : 1)
  return (chars: number): number => {
    let tried = 1 / 25
    for (let i = 1; i <= free; i++) tried *= Math.max(1, chars / i)
    return 10 + Math.ceil(chars * perChar + tried)
  }
}
