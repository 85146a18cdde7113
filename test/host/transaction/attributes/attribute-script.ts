import { chmodSync } from 'node:fs'
import { createAttributeClient } from '../../../../src/host/transaction/attributes/attributes.js'
import { treeOf } from '../../../contract/transaction-tree.js'

const [SET, REMOVE] = process.arch === 'x64' ? [189, 198] : [6, 15]

/** Shell functions `set_attribute FILE NAME VALUE` and `remove_attribute FILE NAME`, for hosts without setfattr. */
export const ATTRIBUTE_FUNCTIONS = [
  `set_attribute() { perl -e 'my ($p, $n, $v) = @ARGV; exit(syscall(${SET}, $p, $n, $v, length $v, 0) < 0)' "$@"; }`,
  `remove_attribute() { perl -e 'my ($p, $n) = @ARGV; exit(syscall(${REMOVE}, $p, $n) < 0)' "$@"; }`,
].join('; ')

/**
 * A tree with the extended attributes of its entries. For an ordinary user, entries without owner access are opened
 * meanwhile.
 */
export function attributedTrees() {
  const attributeClient = createAttributeClient()
  return {
    async of(root: string): Promise<Readonly<Record<string, string>>> {
      const tree = treeOf(root)
      const paths = Object.keys(tree)
      const places = paths.map((path) => Buffer.from(`${root}/${path}`, 'latin1'))
      const closed = places.flatMap((place, index) => {
        const mode = Number.parseInt(tree[paths[index] ?? '']?.split(' ')[0] ?? '', 8)
        const needed = (mode & 0o170000) === 0o040000 ? 0o500 : 0o400
        return (mode & needed) === needed || process.geteuid?.() === 0 ? [] : [{ place, mode: mode & 0o7777, needed }]
      })
      for (const { place, mode, needed } of closed) chmodSync(place, mode | needed)
      const attributes = await attributeClient.read(places)
      for (const { place, mode } of closed.reverse()) chmodSync(place, mode)
      return Object.fromEntries(
        Object.entries(tree).map(([path, line], index) => [path, `${line} ${JSON.stringify(attributes[index])}`]),
      )
    },
    close: () => attributeClient.close(),
  }
}
