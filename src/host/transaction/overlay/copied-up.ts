import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { runProgram } from '../attributes/run-program.js'
import { bytes, type RawPath } from '../paths/raw-path.js'
import { removeTree } from '../paths/remove-tree.js'

/** Copied from below rather than made: overlayfs notes it in this attribute. */
const ORIGIN = 'SCHILY.xattr.user.overlay.origin='
const BLOCK = 512

/** Runs as root in the user namespace of the overlays, because only root can read files without owner access. */
const AS_ROOT =
  process.geteuid?.() === 0 ? (['env'] as const) : (['unshare', '--user', '--map-root-user', '--'] as const)

export interface Asked {
  readonly files: readonly RawPath[]
  readonly directories: readonly RawPath[]
}

/** Which entries of an upper layer were copied up from below. Needed only when others changed the tree meanwhile. */
export async function copiedUp(upper: RawPath, job: string, asked: Asked): Promise<ReadonlySet<RawPath>> {
  const attributeClient = join(job, 'origins')
  mkdirSync(join(attributeClient, 'attributes'), { recursive: true, mode: 0o700 })
  try {
    for (const kind of ['files', 'directories'] as const) {
      writeFileSync(join(attributeClient, kind), Buffer.concat(asked[kind].map((path) => bytes(`${path}\0`))))
    }
    const [program, ...args] = [
      ...AS_ROOT,
      'sh',
      '-c',
      helperScript('archive-origins.sh'),
      'sh',
      bytes(upper).toString('utf8'),
      attributeClient,
    ]
    return markedIn(await runProgram(program, args))
  } finally {
    await removeTree(attributeClient)
  }
}

/** Reads a tar archive of empty entries. An extended header comes before its entry. */
function markedIn(archive: Buffer): ReadonlySet<RawPath> {
  const marked = new Set<RawPath>()
  let extended = ''
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const header = archive.subarray(at, at + BLOCK)
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8) || 0
    const body = archive.subarray(at + BLOCK, at + BLOCK + size)
    if (header.toString('latin1', 156, 157) === 'x') extended = body.toString('latin1')
    else {
      if (extended.includes(ORIGIN)) marked.add(nameIn(header, extended))
      extended = ''
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return marked
}

function nameIn(header: Buffer, extended: string): RawPath {
  const long = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(extended)?.[1]
  const name = header.toString('latin1', 0, 100).split('\0', 1)[0] ?? ''
  const prefix = header.toString('latin1', 345, 500).split('\0', 1)[0] ?? ''
  return (long ?? (prefix === '' ? name : `${prefix}/${name}`)).replace(/\/$/, '')
}
