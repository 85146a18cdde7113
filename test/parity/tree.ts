import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryMeaning } from './repository.js'

/** Path → what is there: kind, mode, and the target of a symlink or the hash of the bytes. */
export type Tree = ReadonlyMap<string, string>

/** Describes everything below a directory. A git directory is described by what it means, not by its bytes. */
export function treeOf(root: string): Tree {
  const tree = new Map<string, string>()
  visit(root, '', tree)
  return tree
}

function visit(root: string, path: string, tree: Map<string, string>): void {
  for (const name of readdirSync(join(root, path)).sort()) {
    const at = path === '' ? name : `${path}/${name}`
    const full = join(root, at)
    const stat = lstatSync(full)
    const mode = (stat.mode & 0o7777).toString(8)
    if (stat.isSymbolicLink()) tree.set(at, `symlink to ${readlinkSync(full)}`)
    else if (stat.isFile()) tree.set(at, `file ${mode} ${stat.size} bytes ${hash(bytesOf(full))}`)
    else if (!stat.isDirectory()) tree.set(at, stat.isFIFO() ? `fifo ${mode}` : stat.isSocket() ? 'socket' : 'device')
    else if (isRepository(full)) for (const [key, value] of repositoryMeaning(full)) tree.set(`${at} ${key}`, value)
    else {
      tree.set(at, `directory ${mode}`)
      visit(root, at, tree)
    }
  }
}

/** Without the source's time and size, which the first 16 bytes of compiled Python hold. */
const bytesOf = (file: string): Buffer => readFileSync(file).subarray(file.endsWith('.pyc') ? 16 : 0)

const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16)

const isRepository = (path: string): boolean =>
  existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')) && existsSync(join(path, 'refs'))

/** Lists what two trees do not share, one line each: `- ` is only in the first, `+ ` only in the second. */
export function treeDifferences(first: Tree, second: Tree): readonly string[] {
  const paths = [...new Set([...first.keys(), ...second.keys()])].sort()
  return paths.flatMap((path) => {
    const [one, two] = [first.get(path), second.get(path)]
    if (one === two) return []
    return [
      ...(one === undefined ? [] : [`- ${path}: ${short(one)}`]),
      ...(two === undefined ? [] : [`+ ${path}: ${short(two)}`]),
    ]
  })
}

const short = (text: string): string => text.replaceAll('\n', '; ')
