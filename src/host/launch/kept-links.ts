import { lstatSync, readlinkSync } from 'node:fs'
import type { Mount } from '../../core/model/plan.js'
import { openUpWay } from './open-up.js'
import { putLink, setAside, type TakenBack } from './set-aside.js'

type Keep = Extract<Mount, { op: 'keep' }>

/** What a link says; undefined when nothing stands there, null when it is something else. */
function saidBy(path: string): string | null | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isSymbolicLink() ? readlinkSync(path) : null
}

/**
 * Symbolic links on the way to protected places. A mount would cover what they lead to, not the links, so whoever may write next to one
 * could put a directory of his own in its place. They are looked at like places that must not come to exist, and put back.
 */
export class KeptLinks {
  readonly #root: string
  readonly #links: readonly Keep[]

  constructor(mounts: readonly Mount[], root: string) {
    this.#root = root
    this.#links = mounts.filter((mount): mount is Keep => mount.op === 'keep')
  }

  get count(): number {
    return this.#links.length
  }

  restore(isOver: boolean): readonly TakenBack[] {
    return this.#links.flatMap((link) => this.#restoreOne(link, isOver))
  }

  #restoreOne({ at, to }: Keep, isOver: boolean): readonly TakenBack[] {
    if (isOver) openUpWay(at, this.#root)
    const said = saidBy(this.#root + at)
    if (said === to) return []
    const kept = said === undefined ? null : setAside(at, this.#root, isOver)
    if (said !== undefined && kept === null) return []
    putLink(at, this.#root, to)
    return [{ path: at, kept }]
  }
}
