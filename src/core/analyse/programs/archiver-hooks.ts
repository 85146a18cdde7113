import { after, deletes, reads, runsShell, writes } from './arg-parts.js'
import { known, without } from './arguments.js'
import type { Arg, Call, Effect } from './knowledge.js'

const TAR_WRITES = ['-c', '--create']
const TAR_EXTRACTS = ['-x', '--extract', '--get']
const TAR_UPDATES = ['-r', '-u', '-A', '--append', '--update', '--catenate', '--concatenate', '--delete']

/** What tar's archive, members and directory mean depends on its mode. */
function tarFiles(call: Call): readonly Effect[] {
  const archives = call.options.flatMap((o) => ((o.name === '-f' || o.name === '--file') && o.value ? [o.value] : []))
  const cwd = call.value('-C', '--directory', '--cd') ?? undefined
  const here = cwd ?? known('.', call.argv[0]?.span ?? [0, 0])
  const members = call.operands.filter((arg) => !arg.head.startsWith('@'))
  if (call.has(...TAR_EXTRACTS)) {
    const target = call.value('--one-top-level') ?? here
    const toFiles = !call.has('-O', '--to-stdout', '--to-command')
    return [...archives.map((a) => reads(a)), ...(toFiles ? [writes(target, true)] : [])]
  }
  const removed: readonly Effect[] = call.has('--remove-files') ? members.map((m) => deletes(m, true)) : []
  const read = members.map((path): Effect => ({ does: 'read', path, recursive: true, cwd }))
  if (call.has(...TAR_WRITES)) return [...archives.map((a) => writes(a)), ...read, ...removed]
  if (call.has(...TAR_UPDATES)) return [...archives.map((a) => writes(a)), ...read]
  return archives.map((a) => reads(a))
}

/** tar's modes, and `--checkpoint-action=exec=COMMAND`. */
export function tarEffects(call: Call): readonly Effect[] {
  const actions = call.options.flatMap(({ name, value }): readonly Effect[] => {
    if (name !== '--checkpoint-action' || !value) return []
    const command = after(value, 'exec=')
    if (command) return [runsShell(command, 'tar --checkpoint-action')]
    return value.text === null ? [{ does: 'hidden', reason: 'an action of tar is not known', at: value.span }] : []
  })
  return [...actions, ...tarFiles(call)]
}

/** zip's options of several letters (`-TT`, `-sf`) may be bundled, so they are looked for in the words themselves. */
export function zipEffects({ argv }: Call): readonly Effect[] {
  const effects: Effect[] = []
  let archive: Arg | undefined
  const moves = argv.some((arg) => /^(?:-[a-zA-Z]*m[a-zA-Z]*|--move)$/.test(arg.head) && !/^-(?:mm|sm)/.test(arg.head))
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const tester = /^(?:-[a-zA-Z]*TT=?|--unz[a-z-]*=?)/.exec(arg.head)
    if (tester) {
      const attached = arg.head.length > tester[0].length
      const command = attached ? without(arg, tester[0].length) : argv[++i]
      if (command) effects.push(runsShell(command, 'zip -TT'))
    } else if (/^(?:-[a-zA-Z]*[bnPtO]|--temp-path|--password|--out|-tt|-s|-ws)$/.test(arg.head)) i++
    else if (arg.head.startsWith('-')) continue
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
  const words = argv.slice(1).filter((arg) => !arg.head.startsWith('-'))
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

/** Compressors replace a file by another one, unless they are told to keep it or to print. */
export function compressorEffects(call: Call): readonly Effect[] {
  const prints = call.has('-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list')
  const keeps = call.has('-k', '--keep')
  return call.operands.flatMap((file): readonly Effect[] => {
    if (prints) return [reads(file)]
    return keeps ? [reads(file), writes(file)] : [reads(file), writes(file), deletes(file)]
  })
}
