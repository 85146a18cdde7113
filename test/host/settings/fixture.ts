import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Profiles } from '../../../src/engine/ports/ports.js'
import { type LoadProfilesOptions, loadProfiles } from '../../../src/host/settings/profiles.js'

export const BUILTIN_DIR = resolve(import.meta.dirname, '../../../profiles')

const roots: string[] = []
/** For every file that makes hosts, after all of its tests. */
export function removeHosts(): void {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
}

export interface Host extends LoadProfilesOptions {
  readonly root: string
  readonly files: { readonly system: string; readonly user: string; readonly project: string }
}

/** A machine with the given settings files and nothing else. */
export function host(files: { system?: string; user?: string; project?: string } = {}): Host {
  const root = mkdtempSync(join(tmpdir(), 'cordon-settings-'))
  roots.push(root)
  const at = {
    system: join(root, 'etc/cordon.toml'),
    user: join(root, 'home/.config/cordon/cordon.toml'),
    project: join(root, 'work/cordon.toml'),
  }
  mkdirSync(join(root, 'work'))
  for (const level of ['system', 'user', 'project'] as const) {
    mkdirSync(dirname(at[level]), { recursive: true })
    const text = files[level]
    if (text !== undefined) writeFileSync(at[level], text)
  }
  return {
    root,
    files: at,
    workspace: join(root, 'work'),
    home: join(root, 'home'),
    env: {},
    builtinDir: BUILTIN_DIR,
    systemFile: at.system,
    systemOwner: process.getuid?.() ?? 0,
  }
}

export const profilesOf = (files: Parameters<typeof host>[0] = {}): Profiles => loadProfiles(host(files))

/** The code and the message of what is thrown, with the temporary directory taken out. */
export function failure(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (!(error instanceof CordonError)) throw error
    return `${error.code} ${error.message.replaceAll(/\S*cordon-settings-\w+\//g, '')}`
  }
  return 'nothing was thrown'
}
