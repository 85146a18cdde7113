import { baseName } from '../../model/basics/path.js'
import type { Analysis } from '../analysis/analysis.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { Sink } from '../state/streams.js'
import { unknown, type Value } from '../values/value.js'
import { scriptPath } from './physical-path.js'

/** Records files that become copies of, or links to, others. Running one runs the other. */
export function noteCopies(analysis: Analysis, state: State, program: string, args: readonly Arg[]): void {
  if (analysis.certainty.isUnreachable) return
  analysis.files.hasLinks ||= mayLink(program, args)
  if (program === 'dd') {
    const value = (key: string): string | undefined =>
      args.find((arg) => arg.text?.startsWith(key))?.text?.slice(key.length)
    note(analysis, state, value('if='), value('of='), 'copy')
  } else noteTargets(analysis, state, program, args)
}

/** The path of a descriptor. */
const DESCRIPTOR = /^\/dev\/(?:stdin|fd\/(\d+))$|^\/proc\/self\/fd\/(\d+)$/

/** The directory and the descriptors for relative paths. */
type PathContext = Pick<State, 'directory' | 'descriptors'>

/** Tells whether the program can make links: `ln`, or others with an option letter. */
const mayLink = (program: string, args: readonly Arg[]): boolean =>
  program.endsWith('ln') ||
  program.endsWith('link') ||
  args.some(({ text }) => text?.startsWith('-') && (text.includes('s') || text.includes('l')))

export const copies = (program: string): boolean => program === 'dd' || COPIERS.has(program)

const COPIERS = new Set('cp ln mv install link rsync gcp gln gmv ginstall'.split(' '))

/** The kind of a copy. The target of a symlink is relative to the link. */
type How = 'copy' | 'link' | 'symlink'

function howOf(program: string, args: readonly Arg[]): How {
  const has = (pattern: RegExp): boolean => args.some((arg) => pattern.test(arg.text ?? ''))
  if (/^g?(ln|link)$/.test(program)) return has(/^-[a-zA-Z]*s|^--sy/) ? 'symlink' : 'link'
  if (!/^g?cp$/.test(program)) return 'copy'
  return has(/^-[a-zA-Z]*s|^--sy/) ? 'symlink' : has(/^-[a-zA-Z]*l|^--l/) ? 'link' : 'copy'
}

function noteTargets(analysis: Analysis, context: PathContext, program: string, args: readonly Arg[]): void {
  const operands: string[] = []
  let directory: string | undefined
  for (let i = 1; i < args.length; i++) {
    // The path of a program can be uncertain, but has only one candidate.
    const text = args[i]?.text ?? args[i]?.alternatives?.find((option) => option !== '')
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
    // A target directory receives the file.
    note(analysis, context, source, `${target}/${baseName(source.replace(/\/+$/, ''))}`, how)
    if (directory === undefined && target !== '.') note(analysis, context, source, target, how)
  }
  if (/^g?mv$/.test(program) && analysis.files.hasFiles)
    for (const source of operands) analysis.files.texts.get(scriptPath(analysis, context, source))?.mayVanish()
}

function note(
  analysis: Analysis,
  context: PathContext,
  source: string | undefined,
  target: string | undefined,
  how: How,
): void {
  if (source === undefined || target === undefined) return
  const to = scriptPath(analysis, context, target)
  const relative = how === 'symlink' && !source.startsWith('/')
  const from = scriptPath(analysis, context, relative ? `${to.slice(0, to.lastIndexOf('/'))}/${source}` : source)
  if (from === to || to.startsWith(`${from}/`)) return
  analysis.files.links.delete(to)
  const text = analysis.files.texts.get(from)?.text ?? inputAt(context, from)
  if (how !== 'copy') {
    analysis.files.links.set(to, from)
    noteLinked(analysis, to, text)
  } else if (text !== null) {
    // In conditional code the earlier file may stay.
    const before = analysis.certainty.conditionalDepth > 0 ? analysis.files.texts.get(to) : null
    before?.mayBegin()
    const copy = before ?? new Sink()
    if (!before) copy.conditionalDepth = analysis.certainty.conditionalDepth
    copy.write(text)
    analysis.files.texts.set(to, copy)
    analysis.files.copies.delete(to)
    return
  } else if (analysis.files.texts.has(to)) {
    mayBecome(analysis, to, from)
    return
  }
  analysis.files.copies.set(to, from)
}

/** Records that a file of the script may have become a copy of an unknown file. */
function mayBecome(analysis: Analysis, to: string, from: string): void {
  const file = analysis.files.texts.get(to)
  file?.mayBegin()
  file?.write({ ...unknown('input', 'the text of a file'), path: from })
}

/** Records the text of a link. An existing file may stay. */
function noteLinked(analysis: Analysis, to: string, text: Value | null): void {
  const before = analysis.files.texts.get(to)
  if (!before) return
  if (text === null) {
    analysis.files.texts.delete(to)
    analysis.files.writers.set(to, 'ln')
    return
  }
  before.mayVanish()
  before.write(text)
}

/** Returns the rest of a descriptor's input if the path names a descriptor. */
function inputAt({ descriptors }: PathContext, path: string): Value | null {
  const found = path.startsWith('/') ? DESCRIPTOR.exec(path) : null
  return found ? (descriptors.get(Number(found[1] ?? found[2] ?? 0))?.input?.peek() ?? null) : null
}

/** Follows a path through its copies to the original. Null if it is no copy. */
export function copyOf(analysis: Analysis, path: string): string | null {
  if (analysis.files.copies.size === 0) return null
  let current = path
  for (let i = 0; i < 16; i++) {
    const next = analysis.files.copies.get(current)
    if (next === undefined) break
    current = next
  }
  return current === path ? null : current
}
