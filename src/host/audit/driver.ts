import { createRequire } from 'node:module'

type Value = string | number | null

export interface Statement {
  run(...values: Value[]): unknown
  get(...values: Value[]): unknown
  all(...values: Value[]): unknown[]
}

/** The part of the `node:sqlite` interface that the audit log needs. Everything is synchronous. */
export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): unknown
}

/** Opens a file with Node's own SQLite, or with the package of the same interface where Node has none. */
export function openDatabase(file: string): Database {
  const builtin = withoutWarning(() => process.getBuiltinModule('node:sqlite'))
  return hasDatabase(builtin) ? new builtin.DatabaseSync(file) : openPackage(file)
}

interface SqliteModule {
  readonly DatabaseSync: new (file: string) => Database
}

const hasDatabase = (module: unknown): module is SqliteModule =>
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

/** The build copies the package here. As a dependency, npm would ask about its install script. */
const COPY = './sqlite/dist/index.cjs'

/** Loads the package on first use: its binary costs more than the rest of the start-up. */
function loadPackage(): SqliteModule {
  const require = createRequire(import.meta.url)
  try {
    return require(COPY) as SqliteModule
  } catch (error) {
    // A checkout has the package itself.
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    return require('@photostructure/sqlite') as SqliteModule
  }
}

/**
 * The package keeps a connection open until its statements are collected. So `close` writes the write-ahead log back
 * first.
 */
function openPackage(file: string): Database {
  const { DatabaseSync } = loadPackage()
  const database = new DatabaseSync(file)
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close() {
      try {
        database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // The next connection reads the rest of the write-ahead log.
      }
      database.close()
    },
  }
}
