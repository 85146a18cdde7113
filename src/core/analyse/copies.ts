import { baseName } from '../model/path.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Sink } from './streams.js'
import { unknown, type Value } from './value.js'

/** Notes files that become copies of, or links to, others: running one is running the other. */
export function noteCopies(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (reading.dead > 0) return
  reading.memory.hasLinks ||= mayLink(program, args)
  if (program === 'dd') {
    const value = (key: string): string | undefined =>
      args.find((arg) => arg.text?.startsWith(key))?.text?.slice(key.length)
    note(reading, state, value('if='), value('of='), 'copy')
  } else noteTargets(reading, state, program, args)
}

/** A descriptor by its path. */
const DESCRIPTOR = /^\/dev\/(?:stdin|fd\/(\d+))$|^\/proc\/self\/fd\/(\d+)$/

/** Where relative paths are looked for, and what is open there. */
type Place = Pick<State, 'cwd' | 'place' | 'descriptors'>

/** Could it make links? `ln` does, and others when they are told by a letter. */
const mayLink = (program: string, args: readonly Arg[]): boolean =>
  program.endsWith('ln') ||
  program.endsWith('link') ||
  args.some(({ text }) => text?.startsWith('-') && (text.includes('s') || text.includes('l')))

/** Does a program of this name make copies of files, or links to them? */
export const copies = (program: string): boolean => program === 'dd' || COPIERS.has(program)

const COPIERS = new Set('cp ln mv install link rsync gcp gln gmv ginstall'.split(' '))

/** A symbolic link's target is looked for from where the link is. */
type How = 'copy' | 'link' | 'symlink'

function howOf(program: string, args: readonly Arg[]): How {
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg.text ?? ''))
  if (/^g?(ln|link)$/.test(program)) return has(/^-[a-zA-Z]*s|^--sy/) ? 'symlink' : 'link'
  if (!/^g?cp$/.test(program)) return 'copy'
  return has(/^-[a-zA-Z]*s|^--sy/) ? 'symlink' : has(/^-[a-zA-Z]*l|^--l/) ? 'link' : 'copy'
}

function noteTargets(reading: Reading, place: Place, program: string, args: readonly Arg[]): void {
  const operands: string[] = []
  let directory: string | undefined
  for (let i = 1; i < args.length; i++) {
    // Where a program is may not be known for certain; it is the one place it can be.
    const text = args[i]?.text ?? args[i]?.options?.find((option) => option !== '')
    if (text === undefined) return
    const attached = /^(?:-[a-zA-Z]*t|--target-directory=)(.+)$/s.exec(text)?.[1]
    if (attached !== undefined && text.startsWith('-')) directory = attached
    else if (/^(-[a-zA-Z]*t|--target-directory)$/.test(text)) directory = args[++i]?.text ?? undefined
    else if (/^-[mogSZ]$/.test(text)) i++
    else if (!text.startsWith('-')) operands.push(text)
  }
  const how = howOf(program, args)
  const target = directory ?? (operands.length === 1 ? '.' : operands.pop())
  for (const source of operands) {
    // A target that is a directory gets the file into it.
    note(reading, place, source, `${target}/${baseName(source.replace(/\/+$/, ''))}`, how)
    if (directory === undefined && target !== '.') note(reading, place, source, target, how)
  }
  if (/^g?mv$/.test(program) && reading.memory.hasFiles)
    for (const source of operands) reading.files.get(reading.owned(place, source))?.mayVanish()
}

function note(reading: Reading, place: Place, source: string | undefined, target: string | undefined, how: How): void {
  if (source === undefined || target === undefined) return
  const to = reading.owned(place, target)
  const relative = how === 'symlink' && !source.startsWith('/')
  const from = reading.owned(place, relative ? `${to.slice(0, to.lastIndexOf('/'))}/${source}` : source)
  if (from === to || to.startsWith(`${from}/`)) return
  reading.links.delete(to)
  const text = reading.files.get(from)?.text ?? inputAt(place, from)
  if (how !== 'copy') {
    reading.links.set(to, from)
    noteLinked(reading, to, text)
  } else if (text !== null) {
    // In code that may not run what was there may stay.
    const before = reading.undecided > 0 ? reading.files.get(to) : null
    before?.mayBegin()
    const copy = before ?? new Sink()
    if (!before) copy.undecided = reading.undecided
    copy.write(text)
    reading.files.set(to, copy)
    reading.copies.delete(to)
    return
  } else if (reading.files.has(to)) {
    mayBecome(reading, to, from)
    return
  }
  reading.copies.set(to, from)
}

/** A file that the script wrote, and that may have become a copy of another since, of which nothing is known. */
function mayBecome(reading: Reading, to: string, from: string): void {
  const file = reading.files.get(to)
  file?.mayBegin()
  file?.write({ ...unknown('input', 'the text of a file'), path: from })
}

/** Where there is a file already it may stay. */
function noteLinked(reading: Reading, to: string, text: Value | null): void {
  const before = reading.files.get(to)
  if (!before) return
  if (text === null) {
    reading.files.delete(to)
    reading.written.set(to, 'ln')
    return
  }
  before.mayVanish()
  before.write(text)
}

/** What is left to read of a descriptor, where the path is that of one. */
function inputAt({ descriptors }: Place, path: string): Value | null {
  const found = path.startsWith('/') ? DESCRIPTOR.exec(path) : null
  return found ? (descriptors.get(Number(found[1] ?? found[2] ?? 0))?.input?.peek() ?? null) : null
}

/** What a path is a copy of, followed to the end; null when it is none. */
export function copyOf(reading: Reading, path: string): string | null {
  if (reading.copies.size === 0) return null
  let current = path
  for (let i = 0; i < 16; i++) {
    const next = reading.copies.get(current)
    if (next === undefined) break
    current = next
  }
  return current === path ? null : current
}
