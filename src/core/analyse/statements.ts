import type { Arg } from './programs/knowledge.js'

/** Statements that take something away: they are told wherever the database is. */
const TAKES_AWAY = /\b(?:drop|truncate|delete|update|flushall|flushdb|shutdown|dropDatabase|deleteMany)\b/i
/** Statements that change something: they are told where a machine is named. */
const CHANGES = /\b(?:insert|merge|replace|alter|create|grant|revoke|rename|copy|load|call|set|del)\b/i
const TOLD_CHARS = 2_000
/** A machine, or an address that holds one. */
const NAMES_HOST = /^(?:-h.*|--host(?:=.*)?|-S|--server(?:=.*)?|.*:\/\/.*|.*\bhost=.*)$/

const DROPS =
  /^\s*drop\s+(?:table|view|materialized\s+view|index|type|function|sequence|trigger|procedure)\s+if\s+exists\s+["`]?([\w.]+)/i

/** A file that makes anew what it drops, if it was there at all, is a schema. */
function isMadeAnew(statement: string, text: string): boolean {
  const name = DROPS.exec(statement)?.[1]
  if (name === undefined) return false
  return new RegExp(`\\bcreate\\b[^;(]*\\b${name.replaceAll('.', '\\.')}\\b`, 'i').test(text)
}

/** Those statements of a text for a database's client that are worth telling, the worst first. */
export function toldStatements(text: string, argv: readonly Arg[], isFile: boolean): string {
  const namesHost = argv.some(({ head }) => NAMES_HOST.test(head))
  if (!TAKES_AWAY.test(text) && !(namesHost && CHANGES.test(text))) return ''
  const statements = text.split(/;|\n(?=\s*(?:drop|truncate|delete|update|insert|alter|create)\b)/i)
  const away: string[] = []
  const changing: string[] = []
  for (const one of statements) {
    const statement = one.trim()
    if (TAKES_AWAY.test(statement)) {
      if (!(isFile && isMadeAnew(statement, text))) away.push(statement)
    } else if (namesHost && CHANGES.test(statement)) changing.push(statement)
  }
  return [...away, ...changing].join(';\n').slice(0, TOLD_CHARS)
}
