import { readdirSync, statSync } from 'node:fs'

/** Directories to which tools add programs, packages and toolchains. A final `*` matches any ending. */
const INSTALLS =
  '.rustup .rustup/toolchains .rustup/update-hashes .local/lib .local/lib/python* .local/lib/node_modules .local/share/man .local/share/man/man1 .local/pipx .local/pipx/venvs .local/share/pipx .local/share/pipx/venvs .local/share/uv .local/share/uv/tools .local/share/uv/python .npm-global .npm-global/bin .npm-global/lib .npm-global/lib/node_modules .npm-packages/bin .npm-packages/lib .npm-packages/lib/node_modules'.split(
    ' ',
  )
/** Subdirectories to which tools also add. */
const INSIDE: Readonly<Record<string, string>> = { 'python*': 'site-packages', node_modules: '@*' }
/** Limit of directories per pattern. */
const MAX_MATCHES = 32

/** Entries of the home itself that are linked, not mounted: a command can add to them. */
export const isInstallDirectory = (path: string): boolean => INSTALLS.includes(path)

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch {
    return false
  }
}

function directoriesIn(path: string): readonly string[] {
  try {
    if (!isDirectory(path)) return []
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  } catch {
    // It cannot be listed, so nothing in it is shared one by one.
    return []
  }
}

function expanded(home: string, pattern: string): readonly string[] {
  if (!pattern.endsWith('*')) return isDirectory(`${home}/${pattern}`) ? [pattern] : []
  const above = pattern.slice(0, pattern.lastIndexOf('/'))
  const begin = pattern.slice(above.length + 1, -1)
  return directoriesIn(`${home}/${above}`)
    .filter((name) => name.startsWith(begin))
    .slice(0, MAX_MATCHES)
    .map((name) => `${above}/${name}`)
}

/** Returns the install directories of a real home, relative to it. They are real directories in a private home too. */
export function installDirectories(home: string): readonly string[] {
  return INSTALLS.flatMap((pattern) => {
    const inside = INSIDE[pattern.slice(pattern.lastIndexOf('/') + 1)]
    const found = expanded(home, pattern)
    return inside === undefined ? found : found.flatMap((path) => [path, ...expanded(home, `${path}/${inside}`)])
  })
}
