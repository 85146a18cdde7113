import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Allowed imports. A folder that is not here fails; so does an import that is not listed. `pkg` names npm
 * packages.
 */
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
  'core/present': { from: ['core/model', 'core/present/filters'], pkg: ['micromark', 'strip-ansi'] },
  'core/present/filters': { from: ['core/model'], pkg: [] },
  core: { from: ['core/*'], pkg: [] },
  engine: { from: ['core/*', 'engine/*'], pkg: [] },
  'engine/evidence': { from: ['core/*'], pkg: [] },
  'engine/errors': { from: ['core/*'], pkg: [] },
  'engine/ports': { from: ['core/*'], pkg: [] },
  'engine/tasks': { from: ['core/*', 'engine/ports'], pkg: [] },
  'engine/stages': { from: ['core/*', 'engine/errors', 'engine/evidence', 'engine/ports', 'engine/tasks'], pkg: [] },
  'host/untrusted-files': { from: [], pkg: [], node: true },
  'host/git': { from: ['core/model', 'core/git', 'host/untrusted-files'], pkg: [], node: true },
  'host/observe': {
    from: ['core/model', 'engine/ports', 'host/git', 'host/untrusted-files'],
    pkg: ['picomatch'],
    node: true,
  },
  'host/state-key': { from: ['core/model'], pkg: [], node: true },
  'host/approve': { from: ['core/model', 'core/present', 'engine/ports', 'host/state-key'], pkg: [], node: true },
  'host/helper-scripts': { from: [], pkg: [], node: true },
  'host/helper-process': { from: ['core/model', 'host/helper-scripts'], pkg: [], node: true },
  'host/unix-sockets': { from: ['core/model', 'host/helper-scripts'], pkg: [], node: true },
  'host/transaction': {
    from: [
      'core/model',
      'engine/ports',
      'host/git',
      'host/helper-process',
      'host/helper-scripts',
      'host/untrusted-files',
    ],
    pkg: ['diff', 'picomatch', 'zod'],
    node: true,
  },
  'host/launch': {
    from: ['core/model', 'engine/ports', 'host/git', 'host/helper-process', 'host/helper-scripts', 'host/unix-sockets'],
    pkg: [],
    node: true,
  },
  'host/registries': { from: ['host/untrusted-files'], pkg: [], node: true },
  'host/private-home': { from: ['core/model', 'engine/ports', 'host/untrusted-files'], pkg: [], node: true },
  'host/audit': {
    from: ['core/model', 'engine/ports', 'host/state-key', 'host/untrusted-files'],
    pkg: ['@photostructure/sqlite'],
    node: true,
  },
  'host/telemetry': { from: ['core/model', 'core/present', 'engine/ports'], pkg: ['@opentelemetry/api'], node: true },
  'host/settings': {
    from: ['core/model', 'core/analyse', 'core/decide', 'engine/ports'],
    pkg: ['smol-toml', 'zod'],
    node: true,
  },
  'host/log': { from: ['core/model', 'core/present', 'engine/ports'], pkg: [], node: true },
  'host/output': { from: ['core/model', 'engine/ports'], pkg: [], node: true },
  'host/agent-settings': {
    from: ['core/model', 'core/decide', 'host/untrusted-files'],
    pkg: ['diff', 'jsonc-parser', 'zod'],
    node: true,
  },
  'surface/tools': { from: ['core/model', 'core/present', 'engine', 'engine/ports'], pkg: ['zod'] },
  'surface/cli': {
    from: ['core/model', 'core/present', 'engine', 'engine/ports'],
    pkg: ['commander', 'zod'],
    node: true,
  },
  'host/agents': {
    from: ['core/model', 'engine/ports', 'host/approve', 'host/state-key', 'host/untrusted-files'],
    pkg: [],
    node: true,
  },
  'surface/shell': { from: ['core/model', 'core/shell', 'engine', 'surface/cli'], pkg: [] },
  'surface/hook': { from: ['core/model', 'engine', 'surface/hook/dialects'], pkg: [] },
  'surface/hook/dialects': { from: [], pkg: [] },
  'surface/mcp': {
    from: ['core/model', 'core/present', 'engine', 'engine/ports'],
    pkg: ['@modelcontextprotocol/server', 'zod'],
    node: true,
  },
  'surface/sdk': { from: ['core/model', 'core/present', 'engine', 'surface/tools'], pkg: ['zod'] },
  '.': { from: ['core', 'core/*', 'engine', 'engine/ports', 'host/*', 'surface/*'], pkg: [], node: true },
}

/**
 * Rooms of a folder, from bottom to top. A room imports only rooms above it in this list; files beside the rooms
 * import all.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'core/model': ['basics', 'policy', 'run'],
  'core/analyse': ['values', 'state', 'analysis', 'files', 'expand', 'run', 'builtins', 'printing', 'invoke'],
  'core/analyse/programs': ['grammar', 'packages', 'wrappers', 'text-and-files', 'development', 'systems'],
  'core/decide': ['match', 'paths', 'effects', 'denials', 'profile', 'authoring'],
  'host/launch': ['process', 'streams', 'limits', 'protect', 'network', 'sandbox', 'zygote', 'lifecycle', 'warm'],
  'host/transaction': ['paths', 'attributes', 'undo-store', 'overlay', 'copy', 'changes', 'lifecycle'],
  'surface/cli': ['terminal', 'text', 'request', 'completion', 'commands'],
}
/** The largest number of files that import each other in a circle. It only goes down. */
const LARGEST_FILE_CYCLE = 11
const MOST_FILES_IN_A_FOLDER = 20

/**
 * Files that open others for reading themselves: of the kernel, or of Cordon's own state; and those of a workspace
 * without waiting and without following symlinks.
 */
const OWN_READERS: readonly string[] = [
  'host/agent-settings/changed-files.ts',
  'host/launch/limits/cgroup-trees.ts',
  'host/launch/process/read-kernel-file.ts',
  'host/launch/sandbox/why-no-sandbox.ts',
  'host/private-home/inspect.ts',
  'host/private-home/person-git.ts',
  'host/private-home/private-directory.ts',
  'host/private-home/private-homes.ts',
  'host/private-home/removals.ts',
  'host/private-home/size-watch.ts',
  'host/private-home/uses.ts',
  'host/settings/read-settings-file.ts',
  'host/transaction/changes/file-versions.ts',
  'host/transaction/copy/snapshot.ts',
  'host/transaction/copy/uncertain-files.ts',
  'host/transaction/paths/open-writers.ts',
  'host/transaction/undo-store/append-cache.ts',
  'host/transaction/undo-store/journal.ts',
]

/** Handlers of one line that only keep what they are given, settle a promise, or keep the process alive. */
const HARMLESS_HANDLER =
  /^(?:\(chunk\) => \w+\.push\(chunk\)\)|\(\) => (?:undefined|resolve\()|closeOurCopies\)|\(chunk(?:: Buffer)?\) => \{ (?:if \(complaint\.length < MAX_COMPLAINT\) complaint|this\.#said) \+= )/

const SRC = resolve(import.meta.dirname, '../src')

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return path.endsWith('.ts') && !path.endsWith('.d.ts') ? [path] : []
  })
}

const foldersBelow = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersBelow(join(folder, entry.name))),
]
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))

const folderOf = (file: string): string => relative(SRC, dirname(file)) || '.'

/** The row of the table that a folder belongs to, and its room there ('' for files beside the rooms). */
function packageOf(folder: string): { readonly name: string; readonly room: string } {
  const name = Object.keys(TABLE)
    .filter((row) => folder === row || folder.startsWith(`${row}/`))
    .sort((a, b) => b.length - a.length)[0]
  return name === undefined ? { name: folder, room: '' } : { name, room: folder.slice(name.length + 1) }
}
const imports = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(
      /(?:^|\n)\s*(?:import|export)[^'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
    ),
  ].map((m) => (m[1] ?? m[2]) as string)
const listed = (folder: string, list: readonly string[]): boolean =>
  list.some((entry) => entry === folder || (entry.endsWith('/*') && folder.startsWith(entry.slice(0, -1))))

function complaint(file: string, specifier: string): string | null {
  const { name, room } = packageOf(folderOf(file))
  const row = TABLE[name]
  if (!row) return `${name} is not in the table`
  if (specifier.startsWith('.')) {
    const folder = folderOf(resolve(dirname(file), specifier))
    const target = packageOf(folder)
    const may = target.name === name ? mayImport(name, room, target.room) : listed(target.name, row.from)
    return may ? null : `${relative(SRC, file)} imports from ${folder}`
  }
  if (specifier.startsWith('node:')) return row.node ? null : `${relative(SRC, file)} imports ${specifier}`
  const known = row.pkg.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  return known ? null : `${relative(SRC, file)} imports the package ${specifier}`
}

function mayImport(name: string, room: string, target: string): boolean {
  const rooms = ROOMS[name] ?? []
  return room === target || (target !== '' && (room === '' || rooms.indexOf(target) < rooms.indexOf(room)))
}

/** Groups of nodes that reach each other (Tarjan), each with more than one member. */
function cycles(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.size - 1)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) found.push(group)
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return found
}

function edgesBetween(files: readonly string[], nodeOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const file of files) {
    const to = edges.get(nodeOf(file)) ?? new Set()
    edges.set(nodeOf(file), to)
    for (const specifier of imports(file)) {
      if (!specifier.startsWith('.')) continue
      const target = nodeOf(resolve(dirname(file), specifier.replace(/\.js$/, '.ts')))
      if (target !== nodeOf(file)) to.add(target)
    }
  }
  return edges
}

describe('the architecture', () => {
  const files = filesBelow(SRC)

  it('every folder is in the table or a room of one, and imports only what the table and the rooms allow', () => {
    const complaints = files.flatMap((file) => {
      const { name, room } = packageOf(folderOf(file))
      const isKnown = TABLE[name] !== undefined && (room === '' || ROOMS[name]?.includes(room))
      const unlisted = isKnown ? [] : [`${folderOf(file)} is neither in the table nor a room`]
      return [...unlisted, ...imports(file).flatMap((specifier) => complaint(file, specifier) ?? [])]
    })
    expect(complaints).toEqual([])
  })

  it('the table and the rooms name only folders that exist', () => {
    const rooms = Object.entries(ROOMS).flatMap(([name, list]) => list.map((room) => `${name}/${room}`))
    expect([...Object.keys(TABLE), ...rooms].filter((folder) => !existsSync(join(SRC, folder)))).toEqual([])
  })

  it('no folders import each other in a circle', () => {
    expect(cycles(edgesBetween(files, folderOf))).toEqual([])
  })

  it('files that import each other in a circle are few', () => {
    const circles = cycles(edgesBetween(files, (file) => relative(SRC, file)))
    expect(circles.filter((circle) => circle.length > LARGEST_FILE_CYCLE)).toEqual([])
  })

  it('no folder of src or test holds more than twenty files', () => {
    const all = [...foldersBelow(SRC), ...foldersBelow(import.meta.dirname)]
    const full = all.filter((folder) => filesIn(folder).length > MOST_FILES_IN_A_FOLDER)
    expect(full.map((folder) => relative(resolve(SRC, '..'), folder))).toEqual([])
  })

  it('reads what a command may have written by the reader for untrusted files only', () => {
    const readers = files.filter((file) => {
      if (
        !/^host\/(?:git|observe|settings|launch|transaction|private-home|agent-settings)$/.test(
          packageOf(folderOf(file)).name,
        )
      )
        return false
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

  it('looks at the host context through the witness only, so that every change of it is noticed', () => {
    // These answer single questions, or keep stamps of their own.
    const others = /\/(?:path-guard|file-identity|masked-programs|absent-names)\.ts$/
    const looks = files.filter((file) => {
      if (!/^host\/(?:observe|registries)$/.test(packageOf(folderOf(file)).name) || others.test(file)) return false
      return /\b(?:l?stat|readdir|exists|realpath|readFile|open)Sync\(/.test(readFileSync(file, 'utf8'))
    })
    expect(looks.map((file) => relative(SRC, file))).toEqual([])
  })

  it('has no handler of bytes or messages, and no repeated timer, that ends the process by throwing', () => {
    const loose = files.filter((file) => {
      if (!/^(?:engine|host)/.test(folderOf(file))) return false
      const text = readFileSync(file, 'utf8')
      const handlers = [
        ...text.matchAll(/\.(?:on|once)\(\s*'(?:data|message|readable|line|request|response|connect(?:ion)?)',\s*/g),
        ...text.matchAll(/\bsetInterval\(\s*/g),
      ].map((found) =>
        text
          .slice(found.index + found[0].length)
          .split('\n')
          .slice(0, 2)
          .join(' ')
          .replace(/ +/g, ' '),
      )
      const isContained = (handler: string): boolean =>
        handler.startsWith('contained(') ||
        new RegExp(`const ${/^\w+/.exec(handler)?.[0]} = (?:\\([^)]*\\): void => \\{[^]{0,120})?contained\\(`).test(
          text,
        )
      return handlers.some((handler) => !isContained(handler) && !HARMLESS_HANDLER.test(handler))
    })
    expect(loose.map((file) => relative(SRC, file))).toEqual([])
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
