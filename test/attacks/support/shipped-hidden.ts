import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'

const FILE = new URL('../../../profiles/workspace.toml', import.meta.url)

/** Returns the paths that the profile `workspace` and its descendants hide. */
export const shippedHidden = (): readonly string[] =>
  (parse(readFileSync(FILE, 'utf8')) as unknown as { readonly paths: { readonly hidden: readonly string[] } }).paths
    .hidden
