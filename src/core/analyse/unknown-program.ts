import { baseName } from '../model/path.js'
import { inherited } from './inherit.js'
import { runCopy, runProgram, runsWritten } from './program.js'
import { knowledgeOf, knownNames } from './programs/index.js'
import { type Arg, MARK } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { placeOf } from './redirect.js'
import { wordsOf } from './said.js'
import { runText } from './shell-text.js'
import type { State } from './state.js'
import { couldMatchExtended, matching } from './text/pattern.js'

/** Reading a command as one more program, each time another: far more work than a command of the usual ones. */
const READ_AS = 200

/**
 * What a program that is not known may be: one that is named to the program which printed its name, or a shell, if it is given text
 * as a shell is.
 */
function runGuesses(reading: Reading, state: State, args: readonly Arg[]): void {
  const [command, ...rest] = args
  if (!command) return
  reading.work.enter()
  reading.undecided++
  const names = new Set(wordsOf(command.said ?? []).flatMap((text) => text.split(/[^\w.+-]+/)))
  // What is not known of it may be nothing, or a directory.
  const around = (command.around ?? '').split(MARK)
  names.add(around.join('')).add(baseName(around.at(-1) ?? ''))
  // The names of files it made may be what `ls` and patterns give.
  for (const path of reading.findings.written(64)) for (const part of baseName(path).split(/[^\w.+-]+/)) names.add(part)
  for (const name of [...names].filter((word) => knowledgeOf(word)).slice(0, 64))
    runProgram(reading, state.fork(), [{ text: name, head: name, several: false, span: command.span }, ...rest])
  runAsShell(reading, state, rest)
  reading.undecided--
  reading.work.exit()
}

/** What it is given after `-c`, were it a shell. */
export function runAsShell(reading: Reading, state: State, rest: readonly Arg[]): void {
  const at = rest.findIndex((arg) => /^-[a-z]*c$/.test(arg.text ?? ''))
  const text = at < 0 ? undefined : rest[at + 1]
  if (text?.text) runText(reading, inherited(reading, state), text.text)
}

/** A command word that is not known. A pattern is matched against the programs that are known; all it can be are listed. */
export function runUnknown(reading: Reading, state: State, args: readonly Arg[]): void {
  const [command, ...rest] = args
  if (!command) return
  state.status = null
  reading.findings.changesAnything = true
  const glob = command.unknown?.glob
  if (/^\/+proc\/+$/.test(command.head)) runCopy(reading, state, args, '/bin/bash')
  if (command.source === 'decoded' || command.source === 'disguised')
    reading.findings.shape('decode-and-run', reading.here)
  if (command.source === 'download') reading.findings.shape('download-and-run', reading.here)
  if (reading.isLost(command.source)) reading.findings.shape('too-much', reading.here)
  const place = placeOf(reading, state, command)
  if (place !== null && reading.files.has(place)) {
    runsWritten(reading, state, args, place)
    return
  }
  runGuesses(reading, state, args)
  reading.reportUnknown(
    glob ? 'the program is given by a pattern' : `the program is not known: ${command.unknown?.unknown ?? ''}`,
    null,
  )
  if (glob !== undefined) {
    const directory = glob.slice(0, glob.lastIndexOf('/') + 1)
    const wanted = baseName(glob)
    const known = knownNames()
    reading.work.add(4 * known.length)
    const names =
      matching(known, wanted, reading.work) ?? (/[?*+@!]\(/.test(wanted) ? couldMatchExtended(known, wanted) : [])
    for (const name of names) {
      reading.work.step()
      reading.work.add(READ_AS + 4 * args.length)
      const text = /[*?[]/.test(directory) ? `/usr/bin/${name}` : directory + name
      runProgram(reading, state.fork(), [{ text, head: text, several: false, span: command.span }, ...rest])
    }
    if (names.length > 0) return
  }
  reading.invocation(state, args)
  state.descriptors
    .get(1)
    ?.sink?.write({ unknown: 'the output of a program that is not known', source: 'output', head: '' })
}
