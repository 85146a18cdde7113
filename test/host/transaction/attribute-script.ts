import { createAttributeDesk } from '../../../src/host/transaction/attributes.js'
import { treeOf } from '../../contract/transaction-tree.js'

const [SET, REMOVE] = process.arch === 'x64' ? [189, 198] : [6, 15]

/** Shell functions `set_attribute FILE NAME VALUE` and `remove_attribute FILE NAME`, for hosts without setfattr. */
export const ATTRIBUTE_FUNCTIONS = [
  `set_attribute() { perl -e 'my ($p, $n, $v) = @ARGV; exit(syscall(${SET}, $p, $n, $v, length $v, 0) < 0)' "$@"; }`,
  `remove_attribute() { perl -e 'my ($p, $n) = @ARGV; exit(syscall(${REMOVE}, $p, $n) < 0)' "$@"; }`,
].join('; ')

/** A tree with the extended attributes of everything in it. */
export function attributedTrees() {
  const desk = createAttributeDesk()
  return {
    async of(root: string): Promise<Readonly<Record<string, string>>> {
      const tree = treeOf(root)
      const paths = Object.keys(tree)
      const attributes = await desk.read(paths.map((path) => Buffer.from(`${root}/${path}`, 'latin1')))
      return Object.fromEntries(
        Object.entries(tree).map(([path, line], index) => [path, `${line} ${JSON.stringify(attributes[index])}`]),
      )
    },
    close: () => desk.close(),
  }
}
