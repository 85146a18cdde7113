import { known, without } from '../grammar/arguments.js'
import { after, deletes, nameOf, reads, runsShell, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

const TAR_WRITES = ['-c', '--create']
const TAR_EXTRACTS = ['-x', '--extract', '--get']
const TAR_UPDATES = ['-r', '-u', '-A', '--append', '--update', '--catenate', '--concatenate', '--delete']

/** Adds the roles of tar's archive, members and directory, which depend on its mode. */
function addTarFiles(call: Call, effects: Effect[]): void {
  const extracts = call.has(...TAR_EXTRACTS)
  const creates = !extracts && call.has(...TAR_WRITES)
  const changes = creates || (!extracts && call.has(...TAR_UPDATES))
  for (const { name, value } of call.options)
    if (value && (name === '-f' || name === '--file')) effects.push(changes ? writes(value) : reads(value))
  const cwd = call.value('-C', '--directory', '--cd') ?? undefined
  if (extracts && !call.has('-O', '--to-stdout', '--to-command'))
    effects.push(writes(call.value('--one-top-level') ?? cwd ?? known('.', call.argv[0]?.span ?? [0, 0]), true))
  if (!changes) return
  const members = call.operands.filter((arg) => !arg.prefix.startsWith('@'))
  for (const path of members) effects.push({ does: 'read', path, recursive: true, cwd })
  if (creates && call.has('--remove-files')) for (const path of members) effects.push(deletes(path, true))
}

/** The modes of tar, and `--checkpoint-action=exec=COMMAND`. */
export function tarEffects(call: Call): readonly Effect[] {
  const effects: Effect[] = []
  for (const { name, value } of call.options) {
    if (name !== '--checkpoint-action' || !value) continue
    const command = after(value, 'exec=')
    if (command) effects.push(runsShell(command, 'tar --checkpoint-action'))
    else if (value.text === null)
      effects.push({ does: 'unknown', reason: 'a tar checkpoint action is unknown', at: value.span })
  }
  addTarFiles(call, effects)
  return effects
}

/** zip can bundle options of several letters (`-TT`, `-sf`), so this searches the words themselves. */
export function zipEffects({ argv }: Call): readonly Effect[] {
  const effects: Effect[] = []
  let archive: Arg | undefined
  const moves = argv.some(
    (arg) => /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/.test(arg.prefix) && !/^-(?:mm|sm)/.test(arg.prefix),
  )
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const tester = /^(?:-[a-zA-Z]*TT=?|--unz[a-z-]*=?)/.exec(arg.prefix)
    if (tester) {
      const attached = arg.prefix.length > tester[0].length
      const command = attached ? without(arg, tester[0].length) : argv[++i]
      if (command) effects.push(runsShell(command, 'zip -TT'))
    } else if (/^(?:-[a-zA-Z]*[bnPtO]|--temp-path|--password|--out|-tt|-s|-ws)$/.test(arg.prefix)) i++
    else if (arg.prefix.startsWith('-')) continue
    else if (!archive) {
      archive = arg
      effects.push(writes(arg))
    } else {
      effects.push(reads(arg, true))
      if (moves) effects.push(deletes(arg, true))
    }
  }
  return effects
}

/** `7z COMMAND ARCHIVE FILES… -oDIR`. */
export function sevenZipEffects({ argv }: Call): readonly Effect[] {
  const words = argv.slice(1).filter((arg) => !arg.prefix.startsWith('-'))
  const [mode, archive, ...files] = words
  const target = argv.map((arg) => after(arg, '-o')).find((arg) => arg !== null)
  if (!mode || !archive) return []
  const here = target ?? known('.', mode.span)
  if (mode.text === 'x' || mode.text === 'e') return [reads(archive), writes(here, true)]
  if (mode.text === 'l' || mode.text === 't') return [reads(archive)]
  const moves = argv.some((arg) => arg.text === '-sdel')
  return [
    writes(archive),
    ...files.map((file) => reads(after(file, '@') ?? file, true)),
    ...(moves ? files.map((file) => deletes(file, true)) : []),
  ]
}

/** The name of a compressed file, with the name of its contents. */
const PACKED = /^(.+)\.(?:gz|z|Z|bz2?|xz|lzma|lz|lzo|lz4|zst|br|lrz)$/s
/** The suffixes of compressors that differ from their names. */
const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['gzip', 'gz'],
  ['pigz', 'gz'],
  ['bzip2', 'bz2'],
  ['pbzip2', 'bz2'],
  ['lbzip2', 'bz2'],
  ['pxz', 'xz'],
  ['lzip', 'lz'],
  ['plzip', 'lz'],
  ['lzop', 'lzo'],
  ['compress', 'Z'],
  ['zstd', 'zst'],
  ['pzstd', 'zst'],
  ['zstdmt', 'zst'],
  ['brotli', 'br'],
  ['lrzip', 'lrz'],
])

/** Returns the file that replaces another when it is compressed or decompressed. */
function otherOf(program: string, { text }: Arg): string | null {
  if (text === null) return null
  return PACKED.exec(text)?.[1] ?? `${text}.${SUFFIXES.get(program) ?? program}`
}

/** A compressor replaces a file by another one, unless told to keep it or to print. */
export function compressorEffects(call: Call): readonly Effect[] {
  const prints = call.has('-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list')
  const keeps = call.has('-k', '--keep')
  const effects: Effect[] = []
  for (const file of call.operands) {
    effects.push(reads(file))
    if (prints) continue
    const other = otherOf(nameOf(call), file)
    effects.push(writes(other === null ? file : known(other, file.span)))
    if (!keeps) effects.push(deletes(file))
  }
  return effects
}
