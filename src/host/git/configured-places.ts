import { dirname, resolve } from 'node:path'

/** More files than this are not followed; git itself goes ten deep. */
const MAX_FILES = 64

/** One line of a configuration: `section.subsection.key`, in lower case but for the middle part, and its value. */
type Setting = readonly [key: string, value: string]

const HEADER = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*(.*)$/
const KEY = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/

/** A value without the comment behind it, its quotes and its backslashes. */
function meantBy(raw: string): string {
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
    if (setting) settings.push([`${section}${setting[1]?.toLowerCase()}`, meantBy(setting[2] ?? '')])
  }
  return settings
}

const isInclude = (key: string): boolean => key === 'include.path' || /^includeif\..*\.path$/s.test(key)

/** Where git looks for a person's own configuration. */
export const personalConfigs = (home: string, configHome: string | undefined): readonly string[] => [
  '/etc/gitconfig',
  `${configHome || `${home}/.config`}/git/config`,
  `${home}/.gitconfig`,
]

/**
 * Hooks and further configuration that these files name: whoever changes them has git run what he likes, as with those of the repository
 * itself. Under whatever condition they are included, and whether or not a later line says otherwise.
 */
export function configuredPlaces(
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
