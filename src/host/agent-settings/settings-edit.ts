import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser'
import { CordonError } from '../../core/model/basics/errors.js'

/** One thing that Cordon puts into an agent's JSON settings: an element of a list, or a value where there is none. */
export type SettingsEdit =
  | { readonly kind: 'append'; readonly path: readonly string[]; readonly value: JsonValue }
  | { readonly kind: 'set'; readonly path: readonly string[]; readonly value: JsonValue }

export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Settings that cannot be edited safely. They are left as they are. */
export class UnreadableSettings extends CordonError {
  constructor(why: string) {
    super('SETTINGS_INVALID', why)
  }
}

/** `SyntaxKind.CommaToken`, a constant that is not there at run time. */
const COMMA = 5

const BOM = '\ufeff'

/**
 * Adds what the edits name and leaves every other character as it is, comments, trailing commas and line ends
 * included. Throws UnreadableSettings for text that is no JSON with comments, or that holds something else where an
 * edit belongs.
 */
export function addToJson(text: string, edits: readonly SettingsEdit[]): string {
  const mark = text.startsWith(BOM) ? BOM : ''
  let body = text.slice(mark.length)
  if (body.trim() === '') body = `{}${body === '' ? '\n' : body}`
  checkedObject(body)
  for (const edit of edits) {
    if (isThere(body, edit)) continue
    body = withEdit(body, edit)
    if (!isThere(body, edit)) throw new UnreadableSettings(`${edit.path.join('.')} could not be added.`)
  }
  return mark + body
}

/**
 * Takes out what the edits name, and the lists and objects that are empty then and were not in the original.
 * Everything else stays, comments included.
 */
export function removeFromJson(text: string, edits: readonly SettingsEdit[], original = ''): string {
  const mark = text.startsWith(BOM) ? BOM : ''
  let body = text.slice(mark.length)
  if (body.trim() === '') return text
  checkedObject(body)
  for (const edit of edits) {
    for (let at = pathOf(body, edit); at !== null; at = pathOf(body, edit)) body = withoutPath(body, at, original)
  }
  return mark + body
}

/** Tells whether the text contains the value of the edit. */
export const isThere = (text: string, edit: SettingsEdit): boolean => pathOf(text, edit) !== null

/** The value at the path; undefined where there is none. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const root = parseTree(text.startsWith(BOM) ? text.slice(1) : text, [], { allowTrailingComma: true })
  const node = root && findNodeAtLocation(root, [...path])
  return node && getNodeValue(node)
}

function checkedObject(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UnreadableSettings('it is no JSON object with comments')
  return value
}

/** Finds the path of the edit's value; null if the text does not contain it. */
function pathOf(text: string, { kind, path, value }: SettingsEdit): JSONPath | null {
  const found = valueAt(text, path)
  if (kind === 'set') return isSame(found, value) ? [...path] : null
  const index = Array.isArray(found) ? found.findIndex((element) => isSame(element, value)) : -1
  return index < 0 ? null : [...path, index]
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

function withEdit(text: string, { kind, path, value }: SettingsEdit): string {
  const root = parseTree(text, [], { allowTrailingComma: true })
  for (let depth = 1; depth <= path.length; depth++) {
    const node = root && findNodeAtLocation(root, path.slice(0, depth))
    const expected = depth < path.length ? 'object' : kind === 'append' ? 'array' : null
    if (node && node.type !== expected)
      throw new UnreadableSettings(`it has ${JSON.stringify(getNodeValue(node))} at ${path.slice(0, depth).join('.')}`)
  }
  let depth = path.length
  while (depth > 0 && nodeAt(text, path.slice(0, depth)) === undefined) depth -= 1
  const container = nodeAt(text, path.slice(0, depth))
  if (container === undefined) throw new UnreadableSettings('it is no JSON object with comments')
  const [name, ...inner] = path.slice(depth)
  if (name === undefined) return withEntry(text, container, null, value)
  const leaf: JsonValue = kind === 'append' ? [value] : value
  const nested = inner.reduceRight<JsonValue>((found, key) => ({ [key]: found }), leaf)
  return withEntry(text, container, name, nested)
}

/**
 * Writes the entry as the last of its list or object, on lines of its own. No other character changes but a comma
 * that it needs.
 */
function withEntry(text: string, container: Node, name: string | null, value: JsonValue): string {
  const { unit, eol } = styleOf(text)
  const close = container.offset + container.length - 1
  const end = text.slice(0, close).trimEnd().length
  const last = container.children?.at(-1)
  const lastEnd = last === undefined ? null : last.offset + last.length
  const comma = lastEnd === null ? null : commaFrom(text, lastEnd)
  const outer = indentAt(text, container.offset)
  const inner = last !== undefined && isFirstOnLine(text, last.offset) ? indentAt(text, last.offset) : outer + unit
  const rendered = JSON.stringify(value, null, unit || 2).replaceAll('\n', `${eol}${inner}`)
  const entry = `${eol}${inner}${name === null ? '' : `${JSON.stringify(name)}: `}${rendered}`
  const rest = /[\r\n]/.test(text.slice(end, close)) ? text.slice(end) : `${eol}${outer}${text.slice(close)}`
  const before =
    lastEnd !== null && comma === null ? `${text.slice(0, lastEnd)},${text.slice(lastEnd, end)}` : text.slice(0, end)
  return `${before}${entry}${comma === null ? '' : ','}${rest}`
}

const lineAt = (text: string, offset: number): string => text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
const indentAt = (text: string, offset: number): string => /^[ \t]*/.exec(lineAt(text, offset))?.[0] ?? ''
const isFirstOnLine = (text: string, offset: number): boolean => /^[ \t]*$/.test(lineAt(text, offset))

function withoutPath(text: string, path: JSONPath, original: string): string {
  let body = withoutNode(text, path)
  for (let parent = path.slice(0, -1); parent.length > 0; parent = parent.slice(0, -1)) {
    const isOurs = valueAt(original, parent as string[]) === undefined
    const node = nodeAt(body, parent)
    const isEmpty = node !== undefined && /^[{[]\s*[}\]]$/.test(body.slice(node.offset, node.offset + node.length))
    if (!isOurs || !isEmpty) break
    body = withoutNode(body, parent)
  }
  checkedObject(body)
  return body
}

const nodeAt = (text: string, path: JSONPath) => {
  const root = parseTree(text, [], { allowTrailingComma: true })
  return root && findNodeAtLocation(root, path)
}

/**
 * Cuts the entry with the comma after it, or else the comma before it, and the white space that would be left of its
 * line.
 */
function withoutNode(text: string, path: JSONPath): string {
  const value = nodeAt(text, path)
  if (value === undefined) return text
  const entry = value.parent?.type === 'property' ? value.parent : value
  const end = entry.offset + entry.length
  const lineStart = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, entry.offset))?.index ?? entry.offset
  const after = commaFrom(text, end)
  if (after !== null) return text.slice(0, lineStart) + text.slice(end, after) + text.slice(after + 1)
  const siblings = entry.parent?.children ?? []
  const before = siblings[siblings.indexOf(entry) - 1]
  const comma = before === undefined ? null : commaFrom(text, before.offset + before.length)
  const head = comma === null ? text.slice(0, lineStart) : text.slice(0, comma) + text.slice(comma + 1, lineStart)
  return head + text.slice(end)
}

/** Returns the offset of the next token if it is a comma. Skips comments. */
function commaFrom(text: string, from: number): number | null {
  const tokens = createScanner(text, true)
  tokens.setPosition(from)
  return tokens.scan() === COMMA ? tokens.getTokenOffset() : null
}

/** The indentation and line ends of the text itself. */
const styleOf = (text: string): { readonly unit: string; readonly eol: string } => ({
  unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ',
  eol: /\r?\n/.exec(text)?.[0] ?? '\n',
})
