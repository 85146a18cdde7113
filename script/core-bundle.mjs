import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The folder of the project. */
export const ROOT = join(import.meta.dirname, '..')

const ENTRIES = {
  analyse: 'src/core/analyse/analyse.ts',
  decide: 'src/core/decide/decide.ts',
  profiles: 'src/host/settings/profiles.ts',
}

/** The sources as they stand, bundled and loaded: what `names` (analyse, decide, profiles) export, together. */
export async function bundledCore(...names) {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-core-'))
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    external: ['@photostructure/sqlite'],
    input: Object.fromEntries(names.map((name) => [name, ENTRIES[name]])),
  })
  await bundle.write({ dir, format: 'esm' })
  await bundle.close()
  const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(dir, `${name}.js`)).href)))
  rmSync(dir, { recursive: true, force: true })
  return Object.assign({}, ...modules)
}

/** Answers of a host that says nothing. */
export const noAnswers = () => ({ paths: new Map(), programs: new Map(), scripts: new Map() })

/** The host context of a profile, for a workspace that does not have to exist. */
export function surroundingsOf(profile) {
  const place = (path) => path.replace(/^~(?=\/|$)/, '/home/user').replace(/^\.(?=\/|$)/, '/home/user/proj')
  return {
    workspace: '/home/user/proj',
    home: '/home/user',
    roots: ['/home/user/proj'],
    writable: profile.paths.writable.map(place),
    hidden: profile.paths.hidden.map((path) => [place(path), 'file']),
    protected: profile.paths.protected.map((path) => (/^[~/]/.test(path) ? place(path) : `/home/user/proj/${path}`)),
    env: [],
    bash: '/bin/bash',
  }
}

/** The built-in profiles, for the same place. */
export const builtinProfiles = (core) =>
  core.loadProfiles({
    workspace: '/home/user/proj',
    home: '/home/user',
    env: {},
    builtinDir: join(ROOT, 'profiles'),
  })
