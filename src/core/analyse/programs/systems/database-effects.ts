import { known, without } from '../grammar/arguments.js'
import { after, runsShell } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

/** Client commands followed by shell text, by client. */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  psql: /\\!\s*/g,
  mysql: /(?:\\!|(?:^|[;\n])[ \t]*system)\s+/gi,
  sqlite: /(?:^|\n)[ \t]*\.(?:shell|system|sh|sys)\s+/g,
}
const PIPES: Readonly<Record<string, RegExp>> = {
  psql: /\\(?:o|out|g|gx|copy|w|write)\b[^|\n\\]*\|[ \t]*|\bprogram\s+['"]/gi,
  mysql: /\\P\s+/g,
  sqlite: /(?:^|\n)[ \t]*\.(?:read|once|output|import|log|trace)\s+['"]?\|\s*/g,
}
/** Files in a statement, and their use. */
const FILES: readonly (readonly [RegExp, 'read' | 'write' | 'update'])[] = [
  [/(?:^|\n)[ \t]*\.(?:output|once|backup|save|dump|log|trace|clone)\s+['"]?([^\s'"|-][^\s'"]*)/g, 'write'],
  [/(?:^|\n)[ \t]*\.(?:read|import|open|restore|cd)\s+(?:-\S+\s+)*['"]?([^\s'"|-][^\s'"]*)/g, 'read'],
  [/\b(?:writefile|lo_export)\s*\([^'")]*'([^']+)'/gi, 'write'],
  [/\binto\s+(?:outfile|dumpfile)\s+'([^']+)'/gi, 'write'],
  [
    /\b(?:readfile|load_file|pg_read_file|pg_read_binary_file|lo_import|read_csv|read_csv_auto|read_json|read_text|read_blob|read_parquet|file)\s*\(\s*'([^']+)'/gi,
    'read',
  ],
  [/\bcopy\b[\s\S]*?\bto\s+'([^']+)'/gi, 'write'],
  [/\bcopy\b[\s\S]*?\bfrom\s+'([^']+)'/gi, 'read'],
  [/\bload\s+data\s+(?:local\s+)?infile\s+'([^']+)'/gi, 'read'],
  [/\battach\s+(?:database\s+)?'([^']+)'/gi, 'update'],
  [/\bvacuum\s+into\s+'([^']+)'/gi, 'write'],
]

/** Returns the files in a statement. On a remote database they are remote, but they count as local files. */
function namedFiles(text: Arg): readonly Effect[] {
  return FILES.flatMap(([pattern, does]) =>
    [...text.prefix.matchAll(pattern)].flatMap((found): readonly Effect[] => {
      const path = known(found[1] ?? '', text.span)
      const analysis: Effect = { does: 'read', path, recursive: false }
      const writing: Effect = { does: 'write', path, recursive: false }
      return does === 'read' ? [analysis] : does === 'write' ? [writing] : [analysis, writing]
    }),
  )
}

const LOADS =
  /\.edit\b|\\(?:i|ir|include|e|edit|ef|ev)\b|load_extension|(?:^|\n)[ \t]*\.(?:load|excel|read)\b|(?:\\\.|\bsource)\s|\bedit\s*\(|\\e\b/i

/** Returns what a text for a database client makes the client run. */
export function clientCommands(client: string, text: Arg): readonly Effect[] {
  const effects: Effect[] = []
  for (const pattern of [ESCAPES[client], PIPES[client]])
    for (const found of text.prefix.matchAll(pattern ?? /(?!)/g)) {
      const from = found.index + found[0].length
      const end = text.prefix.indexOf('\n', from)
      const open = text.text === null && end < 0
      const command = open ? without(text, from) : known(text.prefix.slice(from, end < 0 ? undefined : end), text.span)
      effects.push(runsShell(command, `${client} escape`))
    }
  if (LOADS.test(text.prefix) || effects.length > 0)
    effects.push({ does: 'foreign', reason: `a command of ${client} runs another program`, at: text.span })
  return [...effects, ...namedFiles(text)]
}

/** Statements on standard input, treated like the option's value. */
export function inputOf({ argv }: Call, client: string | null, ...options: readonly string[]): readonly Effect[] {
  const [program] = argv
  if (!program) return []
  const line = [...argv, ...options.map((option) => known(option, program.span))]
  return [
    { does: 'foreign', reason: 'statements and commands on its standard input' },
    client === null ? { does: 'statements-stdin', argv: line } : { does: 'statements-stdin', argv: line, client },
  ]
}

/** Statements in a file named by an option. */
export function inFile({ argv }: Call, file: Arg, client: string, option: string): Effect {
  const [program] = argv
  return { does: 'statements-stdin', argv: [...argv, known(option, program?.span ?? file.span)], client, file }
}

/** Returns the effects of a client. These options hold its statements; otherwise they come from standard input. */
export function client(
  name: string,
  statements: readonly string[],
  silent: readonly string[],
): (call: Call) => readonly Effect[] {
  return (call) => {
    const texts = call.options.flatMap((o) => (statements.includes(o.name) && o.value ? [o.value] : []))
    if (texts.length > 0) return texts.flatMap((text) => clientCommands(name, text))
    return call.has(...silent) ? [] : inputOf(call, name, statements[0] ?? '')
  }
}

/** `psql -o '|command'`. */
export function psqlOutput(call: Call): readonly Effect[] {
  const output = call.value('-o', '--output')
  const command = output && after(output, '|')
  if (command) return [runsShell(command, 'psql -o')]
  return output ? [{ does: 'write', path: output, recursive: false }] : []
}

/** `sqlite3 FILE STATEMENT…`: the operands are statements, including dot commands. */
export function sqliteEffects(call: Call): readonly Effect[] {
  const [file, ...statements] = call.operands
  const given = [
    ...statements,
    ...call.options.flatMap((o) => (/^--?(?:cmd|c)$/.test(o.name) && o.value ? [o.value] : [])),
  ]
  const effects: Effect[] = file
    ? [
        { does: 'read', path: file, recursive: false },
        { does: 'write', path: file, recursive: false },
      ]
    : []
  if (given.length === 0 && !call.has('-version', '--version', '-help')) effects.push(...inputOf(call, 'sqlite'))
  return [...effects, ...given.flatMap((text) => clientCommands('sqlite', text))]
}
