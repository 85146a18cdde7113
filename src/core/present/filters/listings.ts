import { detail, type Filter, type Noise } from './filter.js'

const PROGRAMS = new Set(['ls', 'find', 'fd', 'fdfind', 'tree', 'rg', 'ripgrep'])
/** Made by tools and rarely what one looks for; unless the command names them. */
const GENERATED = ['node_modules', '.git', '__pycache__', '.venv', 'target', 'dist', '.next', '.cache']
/** Lines of one generated directory that are shown before the rest is folded. */
const SHOWN_GENERATED = 20
/** A longer listing keeps its two ends. */
const LONG = 2_000
const ENDS = 500

export const listings: Filter = {
  name: 'listing',
  matches: ([program = '']) => PROGRAMS.has(program),
  propose: (lines, argv) => {
    const proposed = proposeGenerated(lines, argv)
    const left = proposed.filter((noise) => noise === null).length
    return left > LONG ? foldMiddle(proposed, left) : proposed
  },
  recognises: (lines) => lines.length > 0,
}

function proposeGenerated(lines: readonly string[], argv: readonly string[]): (Noise | null)[] {
  const seen = new Map<string, number>()
  const folders = GENERATED.filter((folder) => !argv.some((arg) => arg.includes(folder)))
  return lines.map((line) => {
    const folder = folders.find((name) => line.startsWith(`${name}/`) || line.includes(`/${name}/`))
    if (folder === undefined) return null
    const count = (seen.get(folder) ?? 0) + 1
    seen.set(folder, count)
    return count > SHOWN_GENERATED ? detail('generated files') : null
  })
}

function foldMiddle(proposed: readonly (Noise | null)[], left: number): (Noise | null)[] {
  let at = 0
  return proposed.map((noise) => {
    if (noise !== null) return noise
    at += 1
    return at > ENDS && at <= left - ENDS ? detail('a long listing') : null
  })
}
