// Writes api.md: every export of the library with its type, as the compiler sees it. Usage:
// node script/api-report.mjs [--check]. --check fails where api.md is old.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '..')
const PAGE = join(ROOT, 'api.md')
const FLAGS =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT)
const program = ts.createProgram([join(ROOT, 'src/index.ts')], { ...options, noEmit: true })
const checker = program.getTypeChecker()
const index = program.getSourceFile(join(ROOT, 'src/index.ts'))

const fullText = (type) => checker.typeToString(type, undefined, FLAGS).replaceAll(ROOT, '')

/** Types that have a name of their own, the longest first: they stand for their text in others. */
const named = []
const typeText = (type, self) =>
  named.reduce((text, [name, whole]) => (name === self ? text : text.replaceAll(whole, name)), fullText(type))

/** One line for each member, so that a change of one is one line of the diff. */
function membersOf(type) {
  return checker.getPropertiesOfType(type).map((member) => {
    const optional = member.flags & ts.SymbolFlags.Optional ? '?' : ''
    return `  ${member.name}${optional}: ${typeText(checker.getTypeOfSymbol(member))}`
  })
}

function describe(exported) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const lines = []
  if (symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)) {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const kind = symbol.flags & ts.SymbolFlags.Class ? 'class' : 'interface'
    lines.push(`${kind} ${exported.name} {`, ...membersOf(type), '}')
  } else if (symbol.flags & ts.SymbolFlags.TypeAlias)
    lines.push(`type ${exported.name} = ${typeText(checker.getDeclaredTypeOfSymbol(symbol), exported.name)}`)
  if (symbol.flags & (ts.SymbolFlags.Variable | ts.SymbolFlags.Function) && !isTypeOnly(exported))
    lines.push(`value ${exported.name}: ${typeText(checker.getTypeOfSymbol(symbol))}`)
  return lines.join('\n')
}

const isTypeOnly = (exported) =>
  exported.declarations?.some((one) => ts.isExportSpecifier(one) && (one.isTypeOnly || one.parent.parent.isTypeOnly))

const exportsOf = checker
  .getExportsOfModule(checker.getSymbolAtLocation(index))
  .toSorted((a, b) => (a.name < b.name ? -1 : 1))
for (const exported of exportsOf) {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  if (!(symbol.flags & ts.SymbolFlags.TypeAlias)) continue
  const text = fullText(checker.getDeclaredTypeOfSymbol(symbol))
  if (text.length > 40) named.push([exported.name, text])
}
named.sort(([, a], [, b]) => b.length - a.length)
const page = `# The public API

Every export of \`cordon\`, as the compiler sees it. \`node script/api-report.mjs\` writes this page, and a test compares
it, so that no change of the API is made by accident.

${exportsOf.map((one) => `\`\`\`\n${describe(one)}\n\`\`\``).join('\n\n')}
`

/** The compiler orders unions and members by what it met first, which says nothing of the API. */
const withoutOrder = (text) =>
  text
    .replace(/^```$/gm, '')
    .split('\n')
    .map((line) =>
      line
        .split(/[^\w"'.?-]+/)
        .toSorted()
        .join(' '),
    )
    .join('\n')

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (withoutOrder(readFileSync(PAGE, 'utf8')) !== withoutOrder(page)) {
  console.error('api.md is old. Run node script/api-report.mjs.')
  process.exit(1)
}
