import type { Arg } from '../programs/grammar/roles.js'

/** Statements that remove data. They count wherever the database is. */
const REMOVES_DATA = /\b(?:drop|truncate|delete|update|flushall|flushdb|shutdown|dropDatabase|deleteMany)\b/i
/** Statements that change data. They count if the command names a host. */
const CHANGES_DATA = /\b(?:insert|merge|replace|alter|create|grant|revoke|rename|copy|load|call|set|del)\b/i
const MAX_STATEMENT_CHARS = 2_000
/** A host, or an address with one. */
const NAMES_HOST = /^(?:-h.*|--host(?:=.*)?|-S|--server(?:=.*)?|.*:\/\/.*|.*\bhost=.*)$/

const DROPS =
  /^\s*drop\s+(?:table|view|materialized\s+view|index|type|function|sequence|trigger|procedure)\s+if\s+exists\s+["`]?([\w.]+)/i

/** Tells whether a file recreates a table that it drops: `drop … if exists` in a schema. */
function isRecreated(statement: string, text: string): boolean {
  const name = DROPS.exec(statement)?.[1]
  if (name === undefined) return false
  return new RegExp(`\\bcreate\\b[^;(]*\\b${name.replaceAll('.', '\\.')}\\b`, 'i').test(text)
}

/** Returns the relevant statements of a database text, the most dangerous first. */
export function relevantStatements(text: string, argv: readonly Arg[], isFile: boolean): string {
  const namesHost = argv.some(({ prefix }) => NAMES_HOST.test(prefix))
  if (!REMOVES_DATA.test(text) && !(namesHost && CHANGES_DATA.test(text))) return ''
  const statements = text.split(/;|\n(?=\s*(?:drop|truncate|delete|update|insert|alter|create)\b)/i)
  const away: string[] = []
  const changing: string[] = []
  for (const one of statements) {
    const statement = one.trim()
    if (REMOVES_DATA.test(statement)) {
      if (!(isFile && isRecreated(statement, text))) away.push(statement)
    } else if (namesHost && CHANGES_DATA.test(statement)) changing.push(statement)
  }
  return [...away, ...changing].join(';\n').slice(0, MAX_STATEMENT_CHARS)
}
