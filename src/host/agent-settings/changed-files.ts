import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { readUntrustedFile } from '../untrusted-files/read-untrusted-file.js'
import { addToJson, removeFromJson, type SettingsEdit, UnreadableSettings } from './settings-edit.js'

/** The content Cordon needs in a file: edits of JSON settings, a block at the end, or the whole file. */
export interface WantedFile {
  readonly path: string
  readonly agent: string
  readonly edits: readonly SettingsEdit[]
  readonly block?: string | undefined
  /** The whole text of a file that is Cordon's alone. */
  readonly text?: string | undefined
}

/** A change that was shown or made: the text before and after; null is no file. */
export interface FileChange {
  readonly path: string
  readonly agent: string
  readonly before: string | null
  readonly after: string | null
}

const Edit: z.ZodType<SettingsEdit> = z.strictObject({
  kind: z.enum(['append', 'set']),
  path: z.array(z.string()),
  value: z.json(),
}) as z.ZodType<SettingsEdit>

/** A changed file, kept for undo. `before` is base64, because a file may not be text. */
const Backup = z.strictObject({
  path: z.string(),
  agent: z.string(),
  before: z.string().nullable(),
  afterDigest: z.string(),
  edits: z.array(Edit),
  block: z.string().nullable(),
  isOwn: z.boolean(),
  madeDirectories: z.array(z.string()),
})
type Backup = z.infer<typeof Backup>

/** The files that `cordon init` changed, with their backups in the state directory. */
export interface ChangedFiles {
  /** Returns the change to make, null if none is needed. Throws UnreadableSettings. */
  plan(wanted: WantedFile): FileChange | null
  apply(wanted: WantedFile): FileChange | null
  /** Returns the changes that removing all of it would make. */
  planRemoval(): readonly FileChange[]
  remove(): readonly FileChange[]
  agents(): readonly string[]
}

export function openChangedFiles(state: string): ChangedFiles {
  const directory = join(state, 'agents')
  const fileOf = (path: string): string => join(directory, `${digestOf(path).slice(0, 32)}.json`)

  const backupOf = (path: string): Backup | null => read(fileOf(path))
  const backups = (): Backup[] =>
    (existsSync(directory) ? readdirSync(directory) : [])
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => read(join(directory, name)) ?? [])

  /** The file as it would be without Cordon. */
  const without = (path: string): Buffer | null => {
    const now = bytesOf(path)
    const backup = backupOf(path)
    if (backup === null) return now
    if (now !== null && digestOf(now) === backup.afterDigest)
      return backup.before === null ? null : Buffer.from(backup.before, 'base64')
    if (now === null || backup.isOwn) return null
    const { edits, block, before } = backup
    const original = before === null ? '' : textOf(Buffer.from(before, 'base64'))
    if (block !== null) return Buffer.from(textOf(now).replace(block, () => ''))
    try {
      return Buffer.from(removeFromJson(textOf(now), edits, original))
    } catch (thrown) {
      throw new UnreadableSettings(`${path} was changed since, and ${(thrown as Error).message}. Mend it first.`)
    }
  }

  const plan = (wanted: WantedFile): { readonly change: FileChange; readonly base: Buffer | null } | null => {
    const path = realOf(wanted.path)
    const base = without(path)
    const text = base === null ? '' : textOf(base)
    const after = wanted.text ?? (wanted.block === undefined ? addToJson(text, wanted.edits) : text + wanted.block)
    const now = bytesOf(path)
    if (now !== null && textOf(now) === after) return null
    return { change: { path, agent: wanted.agent, before: now && textOf(now), after }, base }
  }

  const planRemoval = (): FileChange[] =>
    backups().flatMap(({ path, agent }) => {
      const now = bytesOf(path)
      const bytes = without(path)
      if ((now === null && bytes === null) || (now && bytes && now.equals(bytes))) return []
      return [{ path, agent, before: now && textOf(now), after: bytes && textOf(bytes) }]
    })

  return {
    plan: (wanted) => plan(wanted)?.change ?? null,
    apply(wanted) {
      const planned = plan(wanted)
      if (planned === null) return null
      const { change, base } = planned
      const path = change.path
      const after = Buffer.from(change.after ?? '')
      const madeDirectories = [...(backupOf(path)?.madeDirectories ?? []), ...missingDirectories(dirname(path))]
      const backup: Backup = {
        path,
        agent: wanted.agent,
        before: base?.toString('base64') ?? null,
        afterDigest: digestOf(after),
        edits: [...wanted.edits],
        block: wanted.block ?? null,
        isOwn: wanted.text !== undefined,
        madeDirectories,
      }
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      replace(fileOf(path), Buffer.from(JSON.stringify(backup)), 0o600)
      replace(path, after)
      return change
    },
    planRemoval,
    remove() {
      const changes = planRemoval()
      const taken = backups()
      for (const { path } of taken) {
        const bytes = without(path)
        if (bytes === null) rmSync(path, { force: true })
        else if (!bytesOf(path)?.equals(bytes)) replace(path, bytes)
        rmSync(fileOf(path), { force: true })
      }
      const made = new Set(taken.flatMap(({ madeDirectories }) => madeDirectories))
      for (const directory of [...made].sort((a, b) => b.length - a.length)) removeIfEmpty(directory)
      return changes
    },
    agents: () => [...new Set(backups().map(({ agent }) => agent))],
  }
}

function read(file: string): Backup | null {
  try {
    return Backup.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Larger than any agent's settings. */
const MAX_BYTES = 16 * 1024 * 1024

const digestOf = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const textOf = (bytes: Buffer): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

function bytesOf(path: string): Buffer | null {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null
  const bytes = readUntrustedFile(path, MAX_BYTES, 'follow')
  if (bytes === null) throw new UnreadableSettings(`it is no regular file, or a very large one`)
  return bytes
}

/** A symlink to where the settings really are stays a symlink. */
function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function missingDirectories(path: string): string[] {
  if (existsSync(path)) return []
  return [...missingDirectories(dirname(path)), path]
}

/** Writes the file whole or not at all. Keeps its mode. */
function replace(path: string, bytes: Buffer, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const scratch = `${path}.${randomBytes(4).toString('hex')}.new`
  const before = statSync(path, { throwIfNoEntry: false })
  try {
    writeFileSync(scratch, bytes, { flag: 'wx', mode: mode ?? 0o644 })
    if (before) chmodSync(scratch, before.mode & 0o7777)
    renameSync(scratch, path)
  } catch (error) {
    rmSync(scratch, { force: true })
    throw error
  }
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Something else is there now.
  }
}
