import type * as U from 'unbash'
import { addParseError, type ConversionContext, cover, span } from './conversion-context.js'
import { convertWord, fill } from './convert-word.js'
import type { Redirect, Word } from './tree.js'

/** Converts redirections in the order in which bash performs them. One without a known position is a parse error. */
export function convertRedirects(context: ConversionContext, redirects: readonly U.Redirection[]): readonly Redirect[] {
  return redirects.flatMap((redirect): readonly Redirect[] => {
    cover(context, redirect.pos, redirect.end)
    const at = span(context, redirect.pos, redirect.end)
    const descriptor = descriptorOf(context, redirect)
    if (redirect.type === 'HereDoc') {
      const body = hereBody(context, redirect)
      return body ? [{ kind: 'text', descriptor, body, newline: false, span: at }] : []
    }
    if (!redirect.target) {
      addParseError(context, 'a redirection without a target', redirect.pos, redirect.end)
      return []
    }
    checkGlued(context, redirect)
    const target = convertWord(context, redirect.target)
    if (redirect.type === 'HereString') return [{ kind: 'text', descriptor, body: target, newline: true, span: at }]
    return [{ kind: 'file', operator: redirect.operator, descriptor, target, span: at }]
  })
}

function descriptorOf(context: ConversionContext, redirect: U.Redirection): number | string | null {
  const { descriptor } = redirect
  if (!descriptor) return null
  if (descriptor.type === 'FileDescriptorVariable') return descriptor.name
  if (descriptor.end - descriptor.pos > 9)
    addParseError(context, 'a descriptor number that bash parses differently', descriptor.pos, descriptor.end)
  return descriptor.value
}

/** Reports text directly after `<&-` or `>&-`, which bash parses as a separate word. */
function checkGlued(context: ConversionContext, redirect: U.Redirect | U.HereString): void {
  const text = context.text.slice(redirect.pos, redirect.end)
  if (/^[^'"]*[<>]&-./.test(text))
    addParseError(context, 'text directly after a closed descriptor', redirect.pos, redirect.end)
  const next = context.text[redirect.end]
  if (/[<>]&-$/.test(text) && next !== undefined && /[^\s;&|()<>]/.test(next))
    addParseError(context, 'text directly after a closed descriptor', redirect.pos, redirect.end + 1)
}

function hereBody(context: ConversionContext, redirect: U.HereDoc): Word | null {
  const { body, closing, delimiter } = redirect
  if (!closing || !delimiter) {
    addParseError(context, 'a here-document without its closing line', redirect.pos, redirect.end)
    return null
  }
  cover(context, body.pos, closing.end)
  const raw = context.text.slice(body.pos, body.end)
  const stripped = redirect.operator === '<<-'
  if (delimiter.quoted) {
    const value = stripped ? raw.replace(/^\t+/gm, '') : raw
    const text = { kind: 'text', value, quoted: true } as const
    return { kind: 'word', parts: [text], span: span(context, body.pos, body.end) }
  }
  const word = fill(context, body.pos, body.end, body.parts, 'here')
  return stripped ? withoutTabs(word) : word
}

/** Removes leading tabs from a `<<-` document as written, before expansion. */
function withoutTabs(word: Word): Word {
  let lineStart = true
  const parts = word.parts.map((part) => {
    if (part.kind !== 'text') {
      lineStart = false
      return part
    }
    let value = part.value.replace(/\n\t+/g, '\n')
    if (lineStart) value = value.replace(/^\t+/, '')
    lineStart = value === '' ? lineStart : value.endsWith('\n')
    return { ...part, value }
  })
  return { ...word, parts: parts }
}
