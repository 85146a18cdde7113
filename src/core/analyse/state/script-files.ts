import type { Sink } from './streams.js'

/** A program that followed instructions in a text and can have written files. */
export interface Inline {
  readonly by: string
  readonly text: string
}

/** Files that the script makes, by absolute path. */
export class ScriptFiles {
  /** True once the script can have made a file, and once it can have made a link. */
  hasFiles = false
  hasLinks = false
  /** Files written by the script; null for unknown content. */
  readonly texts = new Map<string, Sink | null>()
  /** Copies of other files and links to them. */
  readonly copies = new Map<string, string>()
  /** Symlinks that the script makes, with their targets. */
  readonly links = new Map<string, string>()
  /** Files with unknown text, with the program that writes them. */
  readonly writers = new Map<string, string>()
  readonly directories = new Set<string>()
  readonly inline: Inline[] = []
  #names = 0

  /** Returns the next number for a file or directory whose path is unknown. */
  nextName(): number {
    return this.#names++
  }
}
