import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const CORE = resolve(import.meta.dirname, '../src/core')

/** The most fields of an object of the analyser, and the most parameters of a function of core. */
const FIELDS = 15
const PARAMETERS = 5

/** Memos: each remembers the result of a pure function for as long as its key lives. The list only gets shorter. */
const MEMOS: readonly string[] = [
  'analyse/programs/grammar/compiled-grammar.ts COMPILED',
  'decide/decide.ts PREPARED',
  'decide/profile/rule-matches.ts WANTS',
  'plan/plan-for.ts POLICIES',
]

const CHANGING = new Set('add clear copyWithin delete fill pop push reverse set shift sort splice unshift'.split(' '))

const files = readdirSync(CORE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  .sort()
  .map((name) => parsed(name, readFileSync(join(CORE, name), 'utf8')))

function parsed(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
}

function nodesOf(file: ts.SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return nodes
}

const isField = (member: ts.ClassElement): boolean => ts.isPropertyDeclaration(member) && !ts.isFunctionLike(member)

/** Objects with too many fields. */
function wideObjects(file: ts.SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    const count = ts.isClassLike(node)
      ? node.members.filter(isField).length
      : ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)
        ? node.members.filter(ts.isPropertySignature).length
        : 0
    return count > FIELDS ? [`${file.fileName} line ${lineOf(file, node)}: ${count} fields`] : []
  })
}

/** Functions with too many parameters. */
const longCalls = (file: ts.SourceFile): readonly string[] =>
  nodesOf(file).flatMap((node) =>
    ts.isFunctionLike(node) && node.parameters.length > PARAMETERS
      ? [`${file.fileName} line ${lineOf(file, node)}: ${node.parameters.length} parameters`]
      : [],
  )

const lineOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1

/** Module-level variables that are assigned again, or whose value is changed in place. */
function mutableState(file: ts.SourceFile): readonly string[] {
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList: list }) => list.declarations.map((one) => ({ list, one })))
  const changed = changedNames(file)
  return declarations.flatMap(({ list, one: { name, initializer } }) => {
    const isMade = initializer !== undefined && !ts.isFunctionLike(initializer)
    const isConstant = (list.flags & ts.NodeFlags.Const) !== 0
    return isConstant && !(isMade && changed.has(name.getText(file))) ? [] : [`${file.fileName} ${name.getText(file)}`]
  })
}

/**
 * Names of values that the file assigns into or calls a changing method of. A name declared again inside is another.
 */
function changedNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const note = (target: ts.Expression): void => {
    if (!(ts.isPropertyAccessExpression(target) || ts.isElementAccessExpression(target))) return
    if (ts.isIdentifier(target.expression) && !isDeclaredInside(target.expression)) names.add(target.expression.text)
  }
  const patterns = statefulPatterns(file)
  for (const node of nodesOf(file)) {
    if (ts.isIdentifier(node) && patterns.has(node.text) && !isReset(node)) names.add(node.text)
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      if (CHANGING.has(node.expression.name.text)) note(node.expression)
    } else if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left)
    else if (ts.isDeleteExpression(node)) note(node.expression)
    else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      if (node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken)
        note(node.operand)
    }
  }
  return names
}

/** Module-level regular expressions with a flag that makes `exec` and `test` go on from where they were. */
const statefulPatterns = (file: ts.SourceFile): ReadonlySet<string> =>
  new Set(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ initializer }) => initializer && /^\/[\s\S]*\/[a-z]*[gy][a-z]*$/.test(initializer.getText(file)))
      .map(({ name }) => name.getText(file)),
  )

const RESETTING = new Set('match matchAll replace replaceAll search split RegExp'.split(' '))

/** Is it used by what starts at the beginning, or by a copy? */
function isReset(node: ts.Identifier): boolean {
  let use: ts.Node = node
  while (ts.isConditionalExpression(use.parent)) use = use.parent
  const { parent } = use
  if (ts.isVariableDeclaration(parent) || ts.isImportSpecifier(parent)) return true
  if (!(ts.isCallExpression(parent) || ts.isNewExpression(parent)) || parent.expression === use) return false
  const { expression } = parent
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  return ts.isIdentifier(name) && RESETTING.has(name.text)
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** Is an identifier that of a parameter or variable of a function around it? */
function isDeclaredInside(identifier: ts.Identifier): boolean {
  for (let scope: ts.Node = identifier.parent; !ts.isSourceFile(scope); scope = scope.parent) {
    if (!ts.isFunctionLike(scope)) continue
    let isDeclared = false
    const visit = (node: ts.Node): void => {
      if ((ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) && nameIs(node))
        isDeclared = true
      ts.forEachChild(node, visit)
    }
    const nameIs = ({ name }: ts.VariableDeclaration | ts.ParameterDeclaration | ts.BindingElement): boolean =>
      ts.isIdentifier(name) && name.text === identifier.text
    visit(scope)
    if (isDeclared) return true
  }
  return false
}

describe('the size of what core is made of', () => {
  it('allows no object of the analyser more than 15 fields', () => {
    const analyser = files.filter(({ fileName }) => fileName.startsWith('analyse/'))
    expect(analyser.flatMap(wideObjects)).toEqual([])
  })

  it('allows no function of core more than five parameters', () => {
    expect(files.flatMap(longCalls)).toEqual([])
  })

  it('allows no mutable module-level state in core but the listed memos', () => {
    expect(files.flatMap(mutableState)).toEqual(MEMOS)
  })

  it('finds an object with 16 fields, a function with six parameters and state that is changed in place', () => {
    const wide = `class Wide {${Array.from({ length: 16 }, (_, i) => `readonly f${i} = ${i}`).join(';')}}`
    expect(wideObjects(parsed('wide.ts', wide))).toEqual(['wide.ts line 1: 16 fields'])
    expect(longCalls(parsed('long.ts', 'const f = (a, b, c, d, e, f) => a'))).toEqual(['long.ts line 1: 6 parameters'])
    const state =
      'let a = 0\nconst m = new Map()\nconst n = []\nconst k = []\nfunction f() { m.set(1, 2); n[0] = 1; const k = []; k.push(1) }\nconst r = /a/g\nr.test(s)\nconst q = /a/g\ns.replace(q, t)'
    expect(mutableState(parsed('state.ts', state))).toEqual(['state.ts a', 'state.ts m', 'state.ts n', 'state.ts r'])
  })
})
