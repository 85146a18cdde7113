/** Counts insertions, deletions, replacements and exchanges of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const exchanged = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2] : undefined
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          (exchanged ?? Number.POSITIVE_INFINITY) + 1,
        ),
      )
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

/**
 * Returns the probably intended name: the only one with this prefix, or one at most a third of its length and three
 * letters away.
 */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > 100) return null
  const begun = known.filter((one) => name.length > 2 && one.startsWith(name))
  if (begun[0] !== undefined && begun.length === 1) return begun[0]
  const ranked = known.map((one) => [distance(name, one), one] as const).toSorted(([a], [b]) => a - b)
  const best = ranked[0]
  return best && best[0] <= Math.min(3, Math.floor(best[1].length / 3)) ? best[1] : null
}
