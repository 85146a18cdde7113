import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../../core/model/basics/path.js'

export interface ProjectPlaces {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Variables by which agents name the project to their hooks. */
const NAMED_BY = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'QWEN_PROJECT_DIR'] as const

/**
 * Returns the project that an agent works in: the workspace of its commands, also after `cd sub`. A hook and a shell
 * of one agent get the same one. It is the directory that the agent names, else the nearest one above with `.git` or
 * `cordon.toml`, else the current directory.
 */
export function projectOf(cwd: string, { home, env }: ProjectPlaces): string {
  const here = real(cwd) ?? cwd
  const named = NAMED_BY.flatMap((name) => (env[name] ? (real(env[name]) ?? []) : []))
  const above = ancestorsOf(here)
  return (
    named.find((directory) => isInside(here, directory)) ??
    above.find((directory) => slugOf(directory) === slugIn(env)) ??
    above.find((directory) => isProject(directory, real(home) ?? home)) ??
    here
  )
}

/** The home, and directories above it, hold projects and are none. */
const isProject = (directory: string, home: string): boolean =>
  !isInside(home, directory) && ['.git', 'cordon.toml'].some((name) => existsSync(join(directory, name)))

/** Claude Code names the project to a command only in a path: `…/<slug>/<session>/started`. */
const slugIn = ({ CLAUDE_CODE_CHILD_NOTES_DIR: notes }: ProjectPlaces['env']): string | null =>
  notes ? basename(dirname(dirname(notes))) : null

const slugOf = (directory: string): string => directory.replace(/[^A-Za-z0-9]/g, '-')

function ancestorsOf(directory: string): readonly string[] {
  const above = dirname(directory)
  return above === directory ? [directory] : [directory, ...ancestorsOf(above)]
}

function real(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}
