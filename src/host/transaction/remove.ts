import { chmodSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { statsAt } from './entry.js'
import { bytes, raw } from './raw-path.js'

/** Removes a tree of ours, whatever modes its directories have. Nothing there is fine. */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true })
  } catch {
    openAll(raw(directory))
    await rm(directory, { recursive: true, force: true })
  }
}

function openAll(top: string): void {
  const pending = [top]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const stats = statsAt(bytes(next))
    if (!stats?.isDirectory()) continue
    chmodSync(bytes(next), 0o700)
    for (const name of readdirSync(bytes(next), { encoding: 'latin1' })) pending.push(`${next}/${name}`)
  }
}
