import type { HookCall, Payload } from './hook-call.js'

export const isRecord = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textAt = (payload: Payload, ...names: readonly string[]): string | null => {
  for (const name of names) {
    const value = payload[name]
    if (typeof value === 'string') return value
  }
  return null
}

/** A record, also where the agent sends it as JSON text. Null if it is neither. */
export function recordAt(payload: Payload, ...names: readonly string[]): Payload | null {
  for (const name of names) {
    const value = payload[name]
    if (isRecord(value)) return value
    if (typeof value !== 'string') continue
    try {
      const parsed: unknown = JSON.parse(value)
      if (isRecord(parsed)) return parsed
    } catch {}
  }
  return null
}

export const OTHER: HookCall = { kind: 'other' }

/** Tools of one agent: those that take a command, and those that write files, by the fields that hold the paths. */
export interface ToolNames {
  readonly shell: ReadonlySet<string>
  readonly files: ReadonlyMap<string, readonly string[]>
}

interface ToolCall {
  readonly tool: string | null
  readonly input: Payload | null
  readonly cwd: string | null
}

const PATCH_LINE = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

/** The paths that a patch of the `apply_patch` form names. */
export const patchPaths = (patch: string): readonly string[] =>
  [...patch.matchAll(PATCH_LINE)].map(([, path]) => (path as string).trim())

/** Reads a tool call. A shell tool without a command, or a file tool without a path, is unreadable and so denied. */
export function callOf({ tool, input, cwd }: ToolCall, { shell, files }: ToolNames): HookCall {
  if (tool === null) return OTHER
  if (shell.has(tool)) {
    const command = input === null ? null : textAt(input, 'command', 'cmd')
    if (command === null)
      return { kind: 'unreadable', problem: `The tool ${JSON.stringify(tool)} came without a command.` }
    return { kind: 'shell', command, cwd }
  }
  const fields = files.get(tool)
  if (fields === undefined) return OTHER
  const paths = input === null ? [] : pathsIn(input, fields)
  if (paths.length === 0)
    return { kind: 'unreadable', problem: `The tool ${JSON.stringify(tool)} came without a path.` }
  return { kind: 'files', tool, paths, cwd }
}

function pathsIn(input: Payload, fields: readonly string[]): readonly string[] {
  const named = fields.flatMap((field) => {
    const value = input[field]
    if (typeof value !== 'string') return []
    return value.includes('*** Begin Patch') ? patchPaths(value) : [value]
  })
  const listed = ['edits', 'replacements', 'files'].flatMap((field) => {
    const value = input[field]
    return Array.isArray(value) ? value.filter(isRecord).flatMap((entry) => pathsIn(entry, fields)) : []
  })
  return [...new Set([...named, ...listed])]
}
