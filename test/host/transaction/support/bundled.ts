import * as fs from 'node:fs'
import * as promises from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { helperScripts } from '../../../../script/helper-scripts.mjs'

/** Calls that change what is on the disk. */
const CHANGES =
  /^(?:rename|link|unlink|mkdir|rmdir|rm|chmod|chown|utimes|writeFile|write|fsync|symlink|copyFile)(?:Sync)?$/
const WRAPPED: Readonly<Record<string, object>> = { 'node:fs': fs, 'node:fs/promises': promises }
const MARK = 'counted '

/** A module like the one it stands for, but that each changing call says so to `globalThis.beforeChange` first. */
function counted(name: string): string {
  const names = Object.keys(WRAPPED[name] ?? {}).filter((key) => key !== 'default')
  // Opening a file may make it.
  const opening = `(path, flags, ...rest) => {
    if (typeof flags === 'number' && flags & ${fs.constants.O_CREAT}) globalThis.beforeChange?.('openSync')
    return real.openSync(path, flags, ...rest)
  }`
  const one = (key: string): string =>
    key === 'openSync'
      ? `export const openSync = ${opening}`
      : CHANGES.test(key)
        ? `export const ${key} = (...args) => { globalThis.beforeChange?.('${key}'); return real.${key}(...args) }`
        : `export const ${key} = real.${key}`
  return [`import * as real from '${name}'`, ...names.map(one)].join('\n')
}

const plugin = {
  name: 'count-changes',
  resolveId: (id: string, importer: string | undefined) =>
    id in WRAPPED ? (importer?.startsWith(MARK) ? { id, external: true } : `${MARK}${id}`) : null,
  load: (id: string) => (id.startsWith(MARK) ? counted(id.slice(MARK.length)) : null),
}

/**
 * A file of this folder as one that plain Node runs, for processes that have to die or to be another user.
 * `counting`: every call that changes the disk is announced, wherever it stands in the code.
 */
export async function bundled(name: string, file: string, counting = false): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, name),
    platform: 'node',
    tsconfig: false,
    logLevel: 'silent',
    plugins: [helperScripts, ...(counting ? [plugin] : [])],
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  return file
}
