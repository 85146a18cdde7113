import { baseName } from '../model/path.js'
import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import type { State } from './state.js'
import { Sink } from './streams.js'

/** Notes files that become copies of, or links to, others: running one is running the other. */
export function noteCopies(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (reading.dead > 0) return
  if (
    program === 'cp' ||
    program === 'ln' ||
    program === 'mv' ||
    program === 'install' ||
    program === 'link' ||
    program === 'rsync'
  )
    noteTargets(reading, state, args)
  else if (program === 'dd') {
    const value = (key: string): string | undefined =>
      args.find((arg) => arg.text?.startsWith(key))?.text?.slice(key.length)
    note(reading, state, value('if='), value('of='))
  }
}

function noteTargets(reading: Reading, state: State, args: readonly Arg[]): void {
  const operands: string[] = []
  let directory: string | undefined
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text
    if (text === null || text === undefined) return
    if (text === '-t') directory = args[++i]?.text ?? undefined
    else if (text.startsWith('--target-directory=')) directory = text.slice(19)
    else if (/^-[mogSZ]$/.test(text)) i++
    else if (!text.startsWith('-')) operands.push(text)
  }
  const target = directory ?? operands.pop()
  for (const source of operands) {
    note(reading, state, source, directory === undefined ? target : `${target}/${baseName(source)}`)
    if (target?.endsWith('/') || target === '.') note(reading, state, source, `${target}/${baseName(source)}`)
  }
}

function note(reading: Reading, state: State, source: string | undefined, target: string | undefined): void {
  if (source === undefined || target === undefined) return
  const from = reading.absolute(state, source)
  const to = reading.absolute(state, target)
  if (from === null || to === null || from === to) return
  const written = reading.files.get(from)
  if (written) {
    const copy = new Sink()
    copy.write(written.text)
    reading.files.set(to, copy)
    reading.copies.delete(to)
  } else reading.copies.set(to, from)
}

/** What a path is a copy of, followed to the end; null when it is none. */
export function copyOf(reading: Reading, path: string): string | null {
  if (!reading.hasCopies) return null
  let current = path
  for (let i = 0; i < 16; i++) {
    const next = reading.copies.get(current)
    if (next === undefined) break
    current = next
  }
  return current === path ? null : current
}
