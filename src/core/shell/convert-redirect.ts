import type * as U from 'unbash'
import { type Border, claim, problem, span } from './border.js'
import { convertWord, fill } from './convert-word.js'
import type { Redirect, Word } from './tree.js'

/** Redirections in the order bash performs them. One the reader cannot place makes the tree untrustworthy. */
export function convertRedirects(border: Border, redirects: readonly U.Redirection[]): readonly Redirect[] {
  return redirects.flatMap((redirect): readonly Redirect[] => {
    claim(border, redirect.pos, redirect.end)
    const at = span(border, redirect.pos, redirect.end)
    const descriptor = descriptorOf(border, redirect)
    if (redirect.type === 'HereDoc') {
      const body = hereBody(border, redirect)
      return body ? [{ kind: 'text', descriptor, body, newline: false, span: at }] : []
    }
    if (!redirect.target) {
      problem(border, 'a redirection without a target', redirect.pos, redirect.end)
      return []
    }
    checkGlued(border, redirect)
    const target = convertWord(border, redirect.target)
    if (redirect.type === 'HereString') return [{ kind: 'text', descriptor, body: target, newline: true, span: at }]
    return [{ kind: 'file', operator: redirect.operator, descriptor, target, span: at }]
  })
}

function descriptorOf(border: Border, redirect: U.Redirection): number | string | null {
  const { descriptor } = redirect
  if (!descriptor) return null
  if (descriptor.type === 'FileDescriptorVariable') return descriptor.name
  if (descriptor.end - descriptor.pos > 9)
    problem(border, 'a descriptor number bash reads otherwise', descriptor.pos, descriptor.end)
  return descriptor.value
}

/** Text glued to `<&-` or `>&-` is a word of its own for bash. */
function checkGlued(border: Border, redirect: U.Redirect | U.HereString): void {
  const text = border.text.slice(redirect.pos, redirect.end)
  if (/^[^'"]*[<>]&-./.test(text)) problem(border, 'text glued to a closed descriptor', redirect.pos, redirect.end)
  const next = border.text[redirect.end]
  if (/[<>]&-$/.test(text) && next !== undefined && /[^\s;&|()<>]/.test(next))
    problem(border, 'text glued to a closed descriptor', redirect.pos, redirect.end + 1)
}

function hereBody(border: Border, redirect: U.HereDoc): Word | null {
  const { body, closing, delimiter } = redirect
  if (!closing || !delimiter) {
    problem(border, 'a here-document without its closing line', redirect.pos, redirect.end)
    return null
  }
  claim(border, body.pos, closing.end)
  const raw = border.text.slice(body.pos, body.end)
  const stripped = redirect.operator === '<<-'
  if (delimiter.quoted) {
    const value = stripped ? raw.replace(/^\t+/gm, '') : raw
    const text = { kind: 'text', value, quoted: true } as const
    return { kind: 'word', parts: [text], span: span(border, body.pos, body.end) }
  }
  const word = fill(border, body.pos, body.end, body.parts, 'here')
  return stripped ? withoutTabs(word) : word
}

/** `<<-` takes leading tabs off every line of the text as written, before anything is expanded. */
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
