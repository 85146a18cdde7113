import type { Sink } from './streams.js'

/** Files the script makes, by absolute path. */
export class Memory {
  /** Set once there may be files of the script's own, and once there may be links. */
  hasFiles = false
  hasLinks = false
  /** Files written by the script itself; null when what is in them is not known. */
  readonly files = new Map<string, Sink | null>()
  /** Copies of and links to other files. */
  readonly copies = new Map<string, string>()
  /** Links the script makes, and what they point to. */
  readonly links = new Map<string, string>()
  /** Files that programs write with text that is not known, and which program does. */
  readonly written = new Map<string, string>()
  /** Directories the script makes. */
  readonly made = new Set<string>()
}
