import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Who may import whom. A folder that is not here fails; so does an import that is not listed. `pkg` names npm packages. */
const TABLE: Record<
  string,
  { readonly from: readonly string[]; readonly pkg: readonly string[]; readonly node?: boolean }
> = {
  'core/model': { from: [], pkg: ['zod'] },
  'core/shell': { from: ['core/model'], pkg: ['unbash'] },
  'core/analyse': { from: ['core/model', 'core/shell', 'core/analyse/programs', 'core/analyse/text'], pkg: [] },
  'core/analyse/text': { from: ['core/shell'], pkg: [] },
  'core/analyse/programs': { from: ['core/model', 'core/shell', 'core/git'], pkg: [] },
  'core/decide': { from: ['core/model', 'core/git'], pkg: ['picomatch'] },
  'core/git': { from: [], pkg: [] },
  'core/plan': { from: ['core/model'], pkg: [] },
  'core/capture': { from: ['core/model'], pkg: [] },
  'core/present': { from: ['core/model', 'core/present/filters'], pkg: ['strip-ansi'] },
  'core/present/filters': { from: ['core/model'], pkg: [] },
  core: { from: ['core/*'], pkg: [] },
  engine: { from: ['core/*'], pkg: [] },
  'host/untrusted-files': { from: [], pkg: [], node: true },
  'host/git': { from: ['core/model', 'core/git', 'host/untrusted-files'], pkg: [], node: true },
  'host/observe': {
    from: ['core/model', 'engine', 'host/git', 'host/untrusted-files'],
    pkg: ['picomatch'],
    node: true,
  },
  'host/approve': { from: ['core/model', 'engine'], pkg: [], node: true },
  'host/helper-process': { from: [], pkg: [], node: true },
  'host/unix-sockets': { from: ['core/model'], pkg: [], node: true },
  'host/transaction': {
    from: ['core/model', 'engine', 'host/git', 'host/helper-process'],
    pkg: ['diff', 'picomatch', 'zod'],
    node: true,
  },
  'host/launch': {
    from: ['core/model', 'engine', 'host/git', 'host/helper-process', 'host/unix-sockets'],
    pkg: [],
    node: true,
  },
  'host/registries': { from: [], pkg: [], node: true },
  'host/private-home': { from: ['core/model', 'engine'], pkg: [], node: true },
  'host/audit': { from: ['core/model', 'engine'], pkg: ['@photostructure/sqlite'], node: true },
  'host/settings': {
    from: ['core/model', 'core/analyse', 'core/decide', 'engine'],
    pkg: ['smol-toml', 'zod'],
    node: true,
  },
  'host/log': { from: ['core/model', 'core/present', 'engine'], pkg: [], node: true },
  'host/output': { from: ['core/model', 'engine'], pkg: [], node: true },
  'surface/tools': { from: ['core/model', 'core/present', 'engine'], pkg: ['zod'] },
  'surface/cli': { from: ['core/model', 'core/present', 'engine'], pkg: ['commander', 'zod'], node: true },
  'surface/mcp': {
    from: ['core/model', 'core/present', 'engine'],
    pkg: ['@modelcontextprotocol/server', 'zod'],
    node: true,
  },
  '.': { from: ['core', 'core/*', 'engine', 'host/*', 'surface/*'], pkg: [], node: true },
}

/**
 * Files that open others for reading themselves: of the kernel, or of Cordon's own state; and those of a workspace without waiting and
 * without following symlinks.
 */
const OWN_READERS: readonly string[] = [
  'host/launch/cgroup-trees.ts',
  'host/launch/kernel-file.ts',
  'host/launch/why-no-wall.ts',
  'host/settings/read-settings-file.ts',
  'host/transaction/appended-files.ts',
  'host/transaction/copy-doubts.ts',
  'host/transaction/journal.ts',
  'host/transaction/others.ts',
  'host/transaction/snapshot.ts',
  'host/transaction/versions.ts',
]

const SRC = resolve(import.meta.dirname, '../src')

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : []
  })
}

const folderOf = (file: string): string => relative(SRC, dirname(file)) || '.'
const imports = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map((m) => (m[1] ?? m[2]) as string)
const listed = (folder: string, list: readonly string[]): boolean =>
  list.some((entry) => entry === folder || (entry.endsWith('/*') && folder.startsWith(entry.slice(0, -1))))

function complaint(file: string, specifier: string): string | null {
  const folder = folderOf(file)
  const row = TABLE[folder]
  if (!row) return `${folder} is not in the table`
  if (specifier.startsWith('.')) {
    const target = folderOf(resolve(dirname(file), specifier))
    return target === folder || listed(target, row.from) ? null : `${relative(SRC, file)} imports from ${target}`
  }
  if (specifier.startsWith('node:')) return row.node ? null : `${relative(SRC, file)} imports ${specifier}`
  const known = row.pkg.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return known ? null : `${relative(SRC, file)} imports the package ${specifier}`
}

describe('the architecture', () => {
  const files = filesBelow(SRC)

  it('has every folder in the table, and only the imports the table lists', () => {
    const complaints = files.flatMap((file) => {
      const unlisted = TABLE[folderOf(file)] ? [] : [`${folderOf(file)} is not in the table`]
      return [...unlisted, ...imports(file).flatMap((specifier) => complaint(file, specifier) ?? [])]
    })
    expect(complaints).toEqual([])
  })

  it('names no folder that is gone', () => {
    expect(Object.keys(TABLE).filter((folder) => !existsSync(join(SRC, folder)))).toEqual([])
  })

  it('has no cycle among its folders', () => {
    const edges = new Map<string, Set<string>>()
    for (const file of files) {
      const to = edges.get(folderOf(file)) ?? new Set()
      for (const s of imports(file)) if (s.startsWith('.')) to.add(folderOf(resolve(dirname(file), s)))
      edges.set(folderOf(file), to)
    }
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      [...(edges.get(from) ?? [])].some((next) => {
        if (next === from || seen.has(next)) return false
        seen.add(next)
        return next === goal || reaches(next, goal, seen)
      })
    expect([...edges.keys()].filter((folder) => reaches(folder, folder))).toEqual([])
  })

  it('reads what a command may have written by the reader for untrusted files only', () => {
    const readers = files.filter((file) => {
      if (!/^host\/(?:git|observe|settings|launch|transaction)$/.test(folderOf(file))) return false
      const text = readFileSync(file, 'utf8').replace(/readFileSync\(\s*['`]\/(?:proc|etc|sys)\//g, '')
      const opens = [...text.matchAll(/\bopenSync\((?:[^()]|\([^()]*\))*\)/g)].map(([call]) => call)
      const reads = opens.filter(
        (call) =>
          !/O_PATH|O_WRONLY|O_RDWR|O_DIRECTORY|O_TMPFILE|APPEND|DIRECTORY|'\/(?:dev|proc)\/|`\/proc\//.test(call),
      )
      return reads.length > 0 || /\b(?:readFileSync|createReadStream|readFile)\(/.test(text)
    })
    expect(readers.map((file) => relative(SRC, file)).sort()).toEqual(OWN_READERS)
  })

  it('uses none of the words that name nothing, no default export and no export of everything', () => {
    const bad = files.filter((file) => {
      const text = readFileSync(file, 'utf8')
      return (
        /[/-](utils|helpers|common|manager|service|impl)[-.]/i.test(file) ||
        /^export (default|\*)/m.test(text) ||
        /^let /m.test(text)
      )
    })
    expect(bad.map((file) => relative(SRC, file))).toEqual([])
  })

  it('draws the inputs of property tests from a seed that is the same in every run', () => {
    const tests = filesBelow(import.meta.dirname).filter((file) => imports(file).includes('fast-check'))
    expect(tests.map((file) => relative(import.meta.dirname, file))).toEqual(['property.ts'])
  })
})
