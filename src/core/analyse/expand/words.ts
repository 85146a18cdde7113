import type { Span } from '../../model/basics/span.js'
import type { Part, Word } from '../../shell/tree.js'
import type { Analysis } from '../analysis/analysis.js'
import { addOwnMatches } from '../files/glob-own-files.js'
import { notKnown } from '../programs/grammar/arguments.js'
import type { Arg } from '../programs/grammar/roles.js'
import { currentDirectory } from '../state/current-directory.js'
import type { State } from '../state/state.js'
import { oneOf } from '../values/one-of.js'
import { A_NUMBER, concat, prefixOf, unknown, type Value } from '../values/value.js'
import { evaluateWord } from './arithmetic.js'
import { expandBraces } from './braces.js'
import { Fields, unquotedArg, wholeArg } from './field-splitting.js'
import { expandParameter } from './parameter.js'
import { processSubstitution, substitute } from './substitution.js'
import { kindOfText } from './unquoted-text.js'
import { ifsOf } from './variables.js'

/** The expansion of one part of a word: a value, or a list whose members stay apart. */
export type Expansion =
  | { readonly value: Value }
  | {
      readonly list: readonly Value[]
      readonly joined: boolean
      /** Set if an unknown member can be several, even in quotes. */
      readonly isOpen: boolean
      /** Set if the members are split already. */
      readonly isSplit?: boolean
    }

/** Expands words to arguments of a command: braces, tildes, parameters, substitutions, splitting, globs. */
export function expandWords(analysis: Analysis, state: State, words: readonly Word[]): Arg[] {
  const args: Arg[] = []
  for (const word of words) expandWord(analysis, state, word, args)
  return args
}

/** Expands one word and adds the arguments. */
export function expandWord(analysis: Analysis, state: State, word: Word, args: Arg[]): void {
  const span = analysis.location.of(word.span)
  const only = word.parts[0]
  if (word.parts.length === 1 && only?.kind === 'text') {
    const { value } = only
    const kind = only.quoted ? 'plain' : kindOfText(value)
    if (kind === 'plain') {
      args.push({ text: value, prefix: value, maySplit: false, span })
      return
    }
    if (kind === 'pattern') {
      args.push(unquotedArg(value, span))
      if (analysis.findings.hasWrites) addOwnMatches(analysis, state, args, args.length - 1)
      return
    }
  }
  const from = args.length
  if (only !== undefined && only.kind !== 'text' && word.parts.length === 1) {
    expandOnly(analysis, state, only, span, args)
    if (analysis.findings.hasWrites) addOwnMatches(analysis, state, args, from)
    return
  }
  const alternatives = state.options.has('no-braceexpand') ? [word.parts] : expandBraces(word.parts, analysis.budget)
  if (!alternatives) {
    args.push(unknownWord('a brace expansion with too many words', span))
    return
  }
  if (alternatives.length > 1 && word.parts.some(hidesQuote)) {
    args.push(unknownWord('a brace expansion after a quote', span))
    return
  }
  for (const parts of alternatives) args.push(...expandParts(analysis, state, parts, span))
  if (analysis.findings.hasWrites) addOwnMatches(analysis, state, args, from)
}

/** Expands a word that is a single expansion, such as `"$x"`. */
function expandOnly(
  analysis: Analysis,
  state: State,
  part: Exclude<Part, { kind: 'text' }>,
  span: Span,
  args: Arg[],
): void {
  const expansion = expandPart(analysis, state, part)
  const quoted = isQuoted(part)
  if ('value' in expansion && (quoted || typeof expansion.value !== 'string')) {
    args.push(wholeArg(expansion.value, !quoted, span))
    analysis.budget.add(5 + (prefixOf(expansion.value).length >> 2))
    return
  }
  // The expansion can have changed IFS.
  const fields = new Fields(span, ifsOf(state))
  addExpansion(fields, expansion, quoted, state)
  fields.end()
  analysis.budget.add(1 + 4 * fields.args.length + (fields.chars >> 2))
  args.push(...fields.args)
}

/** Tells whether an apostrophe hides braces: for `"${x-"it's"}"` bash takes it for the start of a quote. */
const hidesQuote = (part: Part): boolean =>
  part.kind === 'parameter' &&
  part.quoted &&
  part.operation?.kind === 'default' &&
  part.operation.operand.parts.some((one) => one.kind === 'text' && one.value.includes("'"))

const isSplit = (part: Part): boolean => part.kind !== 'text' && !isQuoted(part)

const isQuoted = (part: Exclude<Part, { kind: 'text' }>): boolean => part.kind === 'process' || part.quoted

const unknownWord = (unknown: string, span: Span): Arg => notKnown('', { unknown }, true, span, { origin: 'output' })

function expandParts(analysis: Analysis, state: State, parts: readonly Part[], span: Span): readonly Arg[] {
  // bash splits a word after all of it is expanded.
  const expansions = parts.some(isSplit)
    ? parts.map((part) => (part.kind === 'text' ? null : expandPart(analysis, state, part)))
    : null
  const fields = new Fields(span, ifsOf(state))
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as Part
    if (part.kind === 'text') {
      const value = i === 0 && !part.quoted ? expandFirst(analysis, state, part.value, parts.length === 1) : part.value
      if (typeof value === 'string') fields.add(value, part.quoted)
      else fields.addUnknown(value, true)
    } else addExpansion(fields, expansions?.[i] ?? expandPart(analysis, state, part), isQuoted(part), state)
  }
  fields.end()
  analysis.budget.add(parts.length + 4 * fields.args.length + (fields.chars >> 2))
  return fields.args
}

/** Expands the unquoted operand of `${x:-…}`: it splits like a parameter, but quoted parts stay together. */
export function expandOperandWords(analysis: Analysis, state: State, word: Word): readonly Arg[] {
  const fields = new Fields(analysis.location.of(word.span), ifsOf(state))
  word.parts.forEach((part, i) => {
    if (part.kind !== 'text') addExpansion(fields, expandPart(analysis, state, part), isQuoted(part), state)
    else if (part.quoted) fields.add(part.value, true)
    else fields.split(i === 0 ? expandTilde(analysis, state, part.value, word.parts.length === 1) : part.value)
  })
  fields.end()
  analysis.budget.add(word.parts.length + 4 * fields.args.length + (fields.chars >> 2))
  return fields.args
}

function addExpansion(fields: Fields, expansion: Expansion, quoted: boolean, state: State): void {
  if ('value' in expansion) {
    if (!quoted) fields.split(expansion.value)
    else if (typeof expansion.value === 'string') fields.add(expansion.value, true)
    else fields.addUnknown(expansion.value, true)
    return
  }
  if (quoted && expansion.joined) {
    const value = joinList(expansion.list, state)
    if (typeof value === 'string') fields.add(value, true)
    else fields.addUnknown(value, true)
  } else {
    expansion.list.forEach((value, i) => {
      if (i > 0) fields.end()
      if (!(quoted || expansion.isSplit)) fields.split(value)
      else if (typeof value === 'string') fields.add(value, true)
      else fields.addUnknown(value, !expansion.isOpen)
    })
  }
}

/** Joins the members of `"$*"` with the first character of IFS. */
export const joinList = (list: readonly Value[], state: State): Value => joinWith(list, separatorOf(state))

function separatorOf(state: State): string {
  const ifs = ifsOf(state)
  return typeof ifs === 'string' ? (ifs[0] ?? '') : ' '
}

const joinWith = (list: readonly Value[], separator: string): Value =>
  list.reduce<Value>((all, member, i) => concat(i === 0 ? all : concat(all, separator), member), '')

/** Expands one word without splitting or globs: an assigned value, a here-document, a subscript. */
export function expandValue(analysis: Analysis, state: State, word: Word, assignment = false): Value {
  let value: Value = ''
  word.parts.forEach((part, i) => {
    if (part.kind === 'text') {
      const text =
        part.quoted || !part.value.includes('~')
          ? part.value
          : assignment
            ? expandAssignmentTildes(analysis, state, part.value, i === 0)
            : i === 0
              ? expandTilde(analysis, state, part.value, word.parts.length === 1)
              : part.value
      value = concat(value, text)
      return
    }
    const expansion = expandPart(analysis, state, part)
    value = concat(value, 'value' in expansion ? expansion.value : joinedWithBlanks(expansion, state))
  })
  if (word.parts.length > 1 || word.parts[0]?.kind !== 'text')
    analysis.budget.add(word.parts.length + (prefixOf(value).length >> 5))
  return value
}

/** Joins the members of `$@`. bash uses blanks or the first character of IFS, depending on the operation. */
function joinedWithBlanks({ list, joined }: Extract<Expansion, { list: unknown }>, state: State): Value {
  const separator = separatorOf(state)
  if (joined || separator === ' ') return joinWith(list, separator)
  return oneOf([joinWith(list, ' '), joinWith(list, separator)])
}

/** Expands a word to a pattern with quoted characters escaped. Null if it is unknown. */
export function expandPattern(analysis: Analysis, state: State, word: Word): string | null {
  const fields = new Fields(word.span, '')
  word.parts.forEach((part, i) => {
    if (part.kind === 'text') {
      const text =
        i === 0 && !part.quoted ? expandTilde(analysis, state, part.value, word.parts.length === 1) : part.value
      if (typeof text === 'string') fields.add(text, part.quoted)
      else fields.addUnknown(text, true)
    } else addExpansion(fields, expandPart(analysis, state, part), 'quoted' in part && part.quoted, state)
  })
  analysis.budget.add(word.parts.length + (fields.chars >> 3))
  return fields.unknown ? null : fields.pattern
}

/** Expands a part other than plain text. */
export function expandPart(analysis: Analysis, state: State, part: Exclude<Part, { kind: 'text' }>): Expansion {
  switch (part.kind) {
    case 'parameter':
      return expandParameter(analysis, state, part)
    case 'substitution':
      return { value: substitute(analysis, state, part.body) }
    case 'arithmetic': {
      const number = evaluateWord(analysis, state, part.expression)
      return { value: number === null ? A_NUMBER : String(number) }
    }
    case 'process':
      return { value: processSubstitution(analysis, state, part) }
  }
}

/** Expands the tildes of a word that looks like an assignment (`dd of=~/x`). */
function expandFirst(analysis: Analysis, state: State, text: string, whole: boolean): Value {
  const name = /^[A-Za-z_]\w*=(?=.*~)/s.exec(text)?.[0]
  return name === undefined
    ? expandTilde(analysis, state, text, whole)
    : concat(name, expandAssignmentTildes(analysis, state, text.slice(name.length), true))
}

/** Expands `~`, `~/…`, `~+` or `~user` at the start of a word. `whole` tells that the text is the whole word. */
function expandTilde(analysis: Analysis, state: State, text: string, whole: boolean): Value {
  if (!text.startsWith('~')) return text
  const slash = text.indexOf('/')
  if (slash < 0 && !whole) return text
  const prefix = slash < 0 ? text : text.slice(0, slash)
  const rest = slash < 0 ? '' : text.slice(slash)
  if (prefix === '~') {
    const home = state.variables.get('HOME')
    return concat(home?.isSet ? home.value : analysis.input.home, rest)
  }
  if (prefix === '~+') return concat(currentDirectory(state), rest)
  if (prefix === '~-')
    return state.directory.previous === null || state.directory.possibleOldCwds.length > 0
      ? unknown('environment', 'the previous directory')
      : state.directory.previous + rest
  if (/^~[+-]?\d+$/.test(prefix)) return unknown('decoded', 'a directory from the stack')
  if (prefix === '~root') return `/root${rest}`
  if (!/^~[a-z_][\w.-]*$/i.test(prefix)) return text
  const { home } = analysis.input
  // The user's home is known. Other homes are in their usual directory or absent.
  if (home.endsWith(`/${prefix.slice(1)}`)) return home + rest
  const usual = `/home/${prefix.slice(1)}${rest}`
  return { ...unknown('environment', 'the home directory of a user', usual), alternatives: [usual] }
}

function expandAssignmentTildes(analysis: Analysis, state: State, text: string, first: boolean): Value {
  let value: Value = ''
  text.split(':').forEach((piece, i) => {
    const expanded = first || i > 0 ? expandTilde(analysis, state, piece, true) : piece
    value = concat(i === 0 ? value : concat(value, ':'), expanded)
  })
  return value
}
