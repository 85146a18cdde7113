import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { idOf } from './output-files.js'

interface Kept {
  readonly paths: string[]
  bytes: number
  newestMs: number
}

/** Removes the output of the oldest runs down to `maxBytes`. Keeps runs in `inUse` and foreign files. */
export function prune(directory: string, maxBytes: number, inUse: ReadonlySet<string>): void {
  const runs = runsIn(directory)
  let total = [...runs.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  const oldestFirst = [...runs].sort(([, a], [, b]) => a.newestMs - b.newestMs)
  for (const [id, { paths, bytes }] of oldestFirst) {
    if (total <= maxBytes) return
    if (inUse.has(id)) continue
    for (const path of paths) rmSync(path, { force: true })
    total -= bytes
  }
}

function runsIn(directory: string): Map<string, Kept> {
  const runs = new Map<string, Kept>()
  for (const name of readdirSync(directory)) {
    const id = idOf(name)
    const path = join(directory, name)
    const stat = id === null ? undefined : statSync(path, { throwIfNoEntry: false })
    if (id === null || stat === undefined) continue
    const run = runs.get(id) ?? { paths: [], bytes: 0, newestMs: 0 }
    run.paths.push(path)
    run.bytes += stat.size
    run.newestMs = Math.max(run.newestMs, stat.mtimeMs)
    runs.set(id, run)
  }
  return runs
}
