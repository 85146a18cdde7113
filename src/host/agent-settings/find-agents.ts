import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AGENT_TABLE, type AgentEntry, type Homes } from './agent-table.js'

/** An agent on this machine: its program, where it is on PATH, and its version, where it tells one. */
export interface FoundAgent {
  readonly entry: AgentEntry
  readonly program: string | null
  readonly version: string | null
}

const VERSION_MS = 10_000

/** The agents that this user has: those on PATH, and those that have a settings directory. */
export function findAgents(homes: Homes, only: readonly string[] = []): readonly FoundAgent[] {
  return AGENT_TABLE.flatMap((entry) => {
    if (only.length > 0 && !only.includes(entry.id)) return []
    const program =
      entry.programs.map((name) => onPath(name, homes.env.PATH ?? '')).find((path) => path !== null) ?? null
    if (program === null && !entry.directories(homes).some(isDirectory) && only.length === 0) return []
    return [{ entry, program, version: program === null ? null : versionOf(program, homes) }]
  })
}

/** The first executable of that name. */
export function onPath(name: string, path: string): string | null {
  for (const directory of path.split(':')) {
    if (!directory.startsWith('/')) continue
    const file = join(directory, name)
    try {
      accessSync(file, constants.X_OK)
      if (statSync(file).isFile()) return file
    } catch {
      // Not there.
    }
  }
  return null
}

const isDirectory = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

function versionOf(program: string, { home, env }: Homes): string | null {
  const { stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: VERSION_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...env, HOME: home },
  })
  return /\d+(?:[.-]\w+)+/.exec(stdout ?? '')?.[0] ?? null
}
