import { readlinkSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** Names under which the executable is installed: the command, and the file in the package. */
const NAMES = new Set(['cordon-shell', 'shell.cjs'])

/**
 * Tells whether the agent starts its commands by `cordon-shell`, from the settings that it passes to its hooks. Only
 * then a sandbox confines the commands that a hook allows. `shell` is the shell that the agent's extension reports.
 */
export function usesCordonShell(agent: string, env: Env, shell: string | null): boolean {
  switch (agent) {
    case 'claude-code':
      return isCordonShell(env.CLAUDE_CODE_SHELL_PREFIX?.replace(/ -.*$/s, ''))
    case 'gemini':
    case 'qwen':
      return isCordonShell(firstOnPath('bash', env.PATH ?? ''))
    case 'opencode':
    case 'pi':
      return isCordonShell(shell ?? undefined)
    default:
      return false
  }
}

function isCordonShell(path: string | undefined): boolean {
  if (!path?.startsWith('/')) return false
  if (NAMES.has(basename(path))) return isThere(path)
  try {
    return NAMES.has(basename(readlinkSync(path)))
  } catch {
    return false
  }
}

function isThere(path: string): boolean {
  try {
    return realpathSync(path) !== ''
  } catch {
    return false
  }
}

const firstOnPath = (program: string, path: string): string | undefined =>
  path
    .split(':')
    .map((directory) => join(directory, program))
    .find(isThere)
