import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'

type Value = string | number | null

export interface Statement {
  run(...values: Value[]): unknown
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

/** The little of SQLite that the audit log needs, in the shape both drivers have. Everything is synchronous. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

/** Opens a file with the SQLite that Node brings along, or with better-sqlite3 where Node has none. */
export const openDatabase = (file: string): Database => openBuiltin(file) ?? openPackage(file)

function openBuiltin(file: string): Database | null {
  const builtin = withoutWarning(() => process.getBuiltinModule('node:sqlite'))
  if (!hasDatabase(builtin)) return null
  return new builtin.DatabaseSync(file)
}

interface Builtin {
  readonly DatabaseSync: new (file: string) => Database
}

const hasDatabase = (module: unknown): module is Builtin =>
  typeof module === 'object' && module !== null && 'DatabaseSync' in module

/** Loading node:sqlite warns on stderr that it is experimental; stderr belongs to the command that is run. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Required here and not imported above: loading the addon costs more than the rest of the start-up. */
function openPackage(file: string): Database {
  const Package = createRequire(import.meta.url)('better-sqlite3') as typeof BetterSqlite3
  return new Package(file)
}
