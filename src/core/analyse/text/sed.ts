/** Applies `s/a/b/flags`, `y/ab/cd/`, and line deletions of constant `sed` scripts; null where a script does more. */
export function substitute(text: string, scripts: readonly string[], extended: boolean): string | null {
  const commands = scripts.flatMap((script) => splitCommands(script))
  let lines: readonly string[] = text.split('\n')
  for (const command of commands) {
    const change = lineChange(command, extended)
    if (!change) return null
    lines = lines.map(change)
  }
  return lines.join('\n')
}

function splitCommands(script: string): readonly string[] {
  const out: string[] = []
  let rest = script.trim()
  while (rest !== '') {
    const delimiter = /^[sy](.)/s.exec(rest)?.[1]
    if (delimiter === undefined) return [...out, rest]
    let fields = 0
    let i = 2
    for (; i < rest.length && fields < 2; i++) {
      if (rest[i] === '\\') i++
      else if (rest[i] === delimiter) fields++
    }
    const end = /^[^;\n]*/.exec(rest.slice(i))?.[0].length ?? 0
    out.push(rest.slice(0, i + end))
    rest = rest.slice(i + end).replace(/^[;\s]+/, '')
  }
  return out
}

function fieldsOf(command: string): readonly [string, string, string] | null {
  const delimiter = command[1]
  if (delimiter === undefined || delimiter === '\\' || delimiter === '\n') return null
  const fields: string[] = ['']
  for (let i = 2; i < command.length; i++) {
    const c = command[i] as string
    if (c === '\\' && i + 1 < command.length && fields.length <= 2) {
      const next = command[++i] as string
      fields[fields.length - 1] += next === delimiter ? next : `\\${next}`
    } else if (c === delimiter && fields.length <= 2) fields.push('')
    else fields[fields.length - 1] += c
  }
  const [a, b, c] = fields
  return a === undefined || b === undefined || c === undefined ? null : [a, b, c]
}

function lineChange(command: string, extended: boolean): ((line: string) => string) | null {
  const fields = fieldsOf(command)
  if (!fields) return null
  const [from, to, flags] = fields
  if (command.startsWith('y')) {
    const table = new Map([...from].map((c, i) => [c, [...to][i] ?? c]))
    return (line) => [...line].map((c) => table.get(c) ?? c).join('')
  }
  if (!/^[gI]*$/i.test(flags.trim())) return null
  const source = regexSource(from, extended)
  if (source === null) return null
  try {
    const regex = new RegExp(source, `${flags.includes('g') ? 'g' : ''}${/i/i.test(flags) ? 'i' : ''}u`)
    return (line) =>
      line.length > 16_384 ? line : line.replace(regex, (...match) => replacement(to, match as string[]))
  } catch {
    return null
  }
}

const replacement = (to: string, match: readonly string[]): string =>
  to.replace(/\\(\d)|\\n|\\(.)|&/gs, (all, group: string | undefined, escaped: string | undefined) => {
    if (group !== undefined) return match[Number(group)] ?? ''
    if (all === '\\n') return '\n'
    return escaped ?? match[0] ?? ''
  })

/** A POSIX expression as ours. Null where the two differ in ways not handled. */
function regexSource(from: string, extended: boolean): string | null {
  if (/\[\[[:.=]|\\[<>bwWsS'`]/.test(from)) return null
  if (extended) return from.replace(/[-/](?![^[]*\])/g, '\\$&').replaceAll('\\-', '-')
  let out = ''
  for (let i = 0; i < from.length; i++) {
    const c = from[i] as string
    if (c === '\\') {
      const next = from[++i] ?? ''
      out += /[(){}|+?]/.test(next) ? next : /[.*[\]^$/\\\d]/.test(next) ? `\\${next}` : next
    } else if (c === '[') {
      const end = from.indexOf(']', from[i + 1] === '^' ? i + 3 : i + 2)
      if (end < 0) return null
      out += from.slice(i, end + 1).replace(/\\/g, '\\\\')
      i = end
    } else out += /[(){}|+?]/.test(c) ? `\\${c}` : c
  }
  return out
}
