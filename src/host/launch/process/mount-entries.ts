/** One mount from a line of mountinfo. */
export interface MountEntry {
  readonly id: string
  readonly parent: string
  /** Device number of the file system, and the directory of it that is mounted. */
  readonly device: string
  readonly root: string
  readonly at: string
  readonly isReadOnly: boolean
  readonly kind: string
  /** Mount options of the file system. */
  readonly options: readonly string[]
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/**
 * Parses a mountinfo file that was read as latin1, because paths are bytes. Of several mounts at one path the last is
 * on top.
 */
export function mountEntries(mountinfo: string): readonly MountEntry[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [id = '', parent = '', device = '', root = '', at, options = ''] = before.split(' ')
    const [kind = '', , own = ''] = after.split(' ')
    if (at === undefined) return []
    const isReadOnly = options.startsWith('ro')
    return { id, parent, device, root: unescaped(root), at: unescaped(at), isReadOnly, kind, options: own.split(',') }
  })
}
