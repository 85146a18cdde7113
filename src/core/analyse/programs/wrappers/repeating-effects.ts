import { joined, known } from '../grammar/arguments.js'
import { withArgument } from '../grammar/quoted-items.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** `parallel`: runs a template in a shell for each word after `:::`, or for each line of standard input. */
export function parallelEffects(call: Call): readonly Effect[] {
  const { operands } = call
  const split = operands.findIndex((arg) => /^:::[:+]*$/.test(arg.text ?? ''))
  const template = split < 0 ? operands : operands.slice(0, split)
  const span = call.argv[0]?.span ?? [0, 0]
  const via = 'parallel'
  if (template.some((arg) => arg.text === null))
    return [{ does: 'unknown', reason: 'the command of parallel is unknown', at: span }]
  const file = call.value('-a', '--arg-file') ?? undefined
  const marker = call.value('-I', '--replace', '-U')?.text ?? '{}'
  if (split < 0) {
    if (template.length === 0 && !file) return [{ does: 'shell-stdin', via }]
    if (template.length === 0 && file) return [{ does: 'script', path: file, args: [], via }]
    return [
      {
        does: 'run-stdin',
        argv: [known('sh', span), known('-c', span), joined(template, span)],
        via,
        style: { delimiter: '\n', replace: marker, perCommand: 1, file, isQuoted: true },
      },
    ]
  }
  const lists: Arg[][] = []
  for (const arg of operands.slice(split)) {
    if (/^:::[:+]*$/.test(arg.text ?? '')) lists.push([])
    else lists.at(-1)?.push(arg)
  }
  if (operands.slice(split).some((arg) => /^::::/.test(arg.text ?? '')))
    return [{ does: 'unknown', reason: 'parallel reads its command from a file', at: span }]
  return combinations(lists).map((items) => {
    const unknown = items.find((item) => item.text === null)
    const text = unknown ? withArgument(joined(template, span).text ?? '', marker) : null
    return unknown && text !== null
      ? { does: 'shell', text: known(text, span), args: [known('sh', span), { ...unknown, maySplit: false }], via }
      : { does: 'shell', text: fill(template, items, span, marker), via }
  })
}

/** The maximum number of rows. A script with more is over budget anyway. */
const ROWS = 12_000

function combinations(lists: readonly (readonly Arg[])[]): readonly (readonly Arg[])[] {
  let rows: (readonly Arg[])[] = [[]]
  for (const list of lists) rows = rows.flatMap((row) => list.map((item) => [...row, item])).slice(0, ROWS)
  return rows
}

function fill(template: readonly Arg[], items: readonly Arg[], span: readonly [number, number], marker: string): Arg {
  const unknown = items.find((item) => item.text === null)
  const text = (joined(template, span).text ?? '').replaceAll(marker, '{}')
  if (unknown) return { ...unknown, prefix: text.split('{')[0] ?? '' }
  const all = items.map((item) => item.text).join(' ')
  if (text === '') return known(all, span)
  const marked = /\{(\d*)\}/.test(text)
  const filled = text.replace(/\{(\d*)\}/g, (_, n: string) => (n === '' ? all : (items[Number(n) - 1]?.text ?? '')))
  return known(marked ? filled : `${text} ${all}`, span)
}

/** `xargs`: a command with words of standard input appended. */
export function xargsEffects(call: Call): readonly Effect[] {
  const here = call.argv[0]?.span ?? [0, 0]
  const argv = call.operands.length > 0 ? call.operands : [known('echo', here)]
  const delimiter = call.value('-d', '--delimiter')
  const replace = call.has('-i', '--replace')
    ? (call.value('-i', '--replace')?.text ?? '{}')
    : (call.value('-I')?.text ?? null)
  const lines = call.has('-L', '-l', '--max-lines')
  const max = call.value('-n', '--max-args')?.text ?? null
  return [
    {
      does: 'run-stdin',
      argv,
      via: 'xargs',
      style: {
        delimiter: call.has('-0', '--null')
          ? '\0'
          : delimiter
            ? escaped(delimiter.text ?? '\0')
            : replace !== null
              ? '\n'
              : null,
        areLines: replace !== null && !delimiter && !call.has('-0', '--null'),
        replace,
        perCommand: replace !== null ? 1 : max === null ? null : Math.max(1, Number(max) || 1),
        perLines: lines ? Math.max(1, Number(call.value('-L', '-l', '--max-lines')?.text) || 1) : undefined,
        end: call.value('-E', '-e', '--eof')?.text ?? undefined,
        file: call.value('-a', '--arg-file') ?? undefined,
      },
    },
  ]
}

const escaped = (text: string): string => ({ '\\n': '\n', '\\t': '\t', '\\0': '\0' })[text] ?? text

/** `watch` runs its words in a shell, or directly with `-x`. */
export function watchEffects(call: Call): readonly Effect[] {
  if (call.operands.length === 0) return []
  return call.has('-x', '--exec')
    ? [{ does: 'run', argv: call.operands, via: 'watch' }]
    : [{ does: 'shell', text: joined(call.operands, call.argv[0]?.span ?? [0, 0]), via: 'watch' }]
}

/** `entr COMMAND`; with `-s` a string for the user's shell. */
export function entrEffects(call: Call): readonly Effect[] {
  const [first] = call.operands
  if (!first) return []
  return call.has('-s')
    ? [{ does: 'shell', text: first, args: call.operands.slice(1), via: 'entr -s', shell: 'bash' }]
    : [{ does: 'run', argv: call.operands, via: 'entr' }]
}
