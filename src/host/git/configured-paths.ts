import { dirname, resolve } from 'node:path'

/** Limit of followed files; git itself follows ten levels. */
const MAX_FILES = 64
/** Limit of paths; an ordinary configuration names fewer. */
const MAX_PATHS = 256

/** One setting: `section.subsection.key`, in lower case except the middle part, and its value. */
type Setting = readonly [key: string, value: string]

const HEADER = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const KEY = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/

/** Returns a value without comment, quotes and backslashes. */
function unquoted(raw: string): string {
  const [, text = ''] = /^((?:[^"\\#;]|\\.|"(?:[^"\\]|\\.)*")*)/.exec(raw) ?? []
  return text.trim().replace(/\\(.)|"/g, (_, escaped: string | undefined) => escaped ?? '')
}

function settingsIn(text: string): readonly Setting[] {
  const settings: Setting[] = []
  let section = ''
  for (const raw of text.replace(/\\\r?\n/g, '').split('\n')) {
    const header = HEADER.exec(raw.trim())
    if (header) section = `${header[1]?.toLowerCase()}.${header[2] === undefined ? '' : `${header[2]}.`}`
    const setting = KEY.exec(header?.[3] ?? raw.trim())
    if (setting) settings.push([`${section}${setting[1]?.toLowerCase()}`, unquoted(setting[2] ?? '')])
  }
  return settings
}

const isInclude = (key: string): boolean => key === 'include.path' || /^includeif\..*\.path$/s.test(key)

/** Returns the paths of the person's own git configuration. */
export const personalConfigs = (home: string, configHome: string | undefined): readonly string[] => [
  '/etc/gitconfig',
  `${configHome || `${home}/.config`}/git/config`,
  `${home}/.gitconfig`,
]

/**
 * Returns hooks and included configuration files that these files name, under every condition and even if a later line
 * overrides them. Git runs their content, as it runs that of the repository.
 */
export function configuredPaths(
  configs: readonly string[],
  tree: string,
  home: string,
  textOf: (path: string) => string | null,
): readonly string[] {
  const found: string[] = []
  const placeOf = (value: string, from: string): string => resolve(from, value.replace(/^~(?=\/)/, home))
  const files = [...configs]
  for (let i = 0; i < files.length && i < MAX_FILES; i++) {
    const file = files[i] as string
    for (const [key, value] of settingsIn(textOf(file) ?? '')) {
      if (found.length >= MAX_PATHS) return found
      if (value === '') continue
      if (key === 'core.hookspath') found.push(placeOf(value, tree))
      else if (isInclude(key)) {
        const included = placeOf(value, dirname(file))
        found.push(included)
        if (!files.includes(included)) files.push(included)
      }
    }
  }
  return found
}
