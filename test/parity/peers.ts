import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const PEERS = ['bubblewrap', 'sandbox-runtime', 'codex'] as const
export type Peer = (typeof PEERS)[number]

interface PeerCommand {
  readonly argv: readonly [string, ...string[]]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns how another sandbox runs a script, with the workspace and /tmp writable and no network. `state` is its own
 * directory.
 */
export function peerCommand(peer: Peer, script: string, cwd: string, state: string): PeerCommand {
  mkdirSync(state, { recursive: true })
  if (peer === 'bubblewrap') return { argv: bubblewrap(cwd, script), env: {} }
  if (peer === 'codex') {
    const words = ['sandbox', '-c', 'sandbox_mode="workspace-write"', '--', '/bin/bash', '-c', script]
    return { argv: [required('codex'), ...words], env: { CODEX_HOME: state } }
  }
  const settings = join(state, 'settings.json')
  const filesystem = { denyRead: [], allowWrite: ['.', '/tmp'], denyWrite: [] }
  writeFileSync(settings, JSON.stringify({ network: { allowedDomains: [], deniedDomains: [] }, filesystem }))
  return { argv: [required('srt'), '--settings', settings, '-c', script], env: {} }
}

function bubblewrap(cwd: string, script: string): [string, ...string[]] {
  const mounts = ['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--bind', cwd, cwd, '--dev', '/dev', '--proc', '/proc']
  return ['bwrap', ...mounts, '--unshare-all', '--die-with-parent', '--chdir', cwd, '--', '/bin/bash', '-c', script]
}

function required(program: string): string {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, program))
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error(`${program} is not installed. Install it and put it on PATH.`)
  return found
}
