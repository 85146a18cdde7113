import { type Comparing, compareSettings, type Objection } from './compare-settings.js'
import { formatSetting, parseConfig, type Setting } from './config-syntax.js'

/** The verdict on a changed configuration. */
export interface Reverted {
  /** The text to keep; null if only the old text is safe. */
  readonly text: string | null
  readonly objections: readonly Objection[]
}

export interface Changed {
  /** Null if there was no repository. */
  readonly before: string | null
  readonly after: string
  readonly isModule?: boolean
  /** Keys that the user approved; see `Lifted`. */
  readonly approved?: readonly string[]
}

const isApproved = (key: string, approved: readonly string[]): boolean =>
  approved.some((one) => (one.endsWith('*') ? key.startsWith(one.slice(0, -1)) : one === key))

function withoutKeys(text: string, settings: readonly Setting[], keys: ReadonlySet<string>): string {
  let kept = ''
  let at = 0
  for (const { key, from, to } of settings) {
    if (!keys.has(key)) continue
    kept += text.slice(at, from).replace(/[ \t]+$/, '')
    at = to
  }
  return kept + text.slice(at)
}

/**
 * Reverts the changes in a configuration that a command must not make, and keeps the others. Old values return as
 * sections at the end. A text that git refuses, or that cannot be edited, is reverted as a whole.
 */
export function revertSettings({ before, after, isModule = false, approved = [] }: Changed): Reverted {
  const settings = parseConfig(after)
  const old = before === null ? null : parseConfig(before)
  // The old text is invalid too, so its changes cannot be judged.
  if (settings === null || (before !== null && old === null))
    return { text: before === after ? after : null, objections: [] }
  const judge = (now: readonly Setting[]): readonly Objection[] => {
    const comparing: Comparing = { before: old, after: now, isModule }
    return compareSettings(comparing).filter(({ key }) => !isApproved(key, approved))
  }
  const objections = judge(settings)
  if (objections.length === 0) return { text: after, objections }
  const keys = new Set(objections.map(({ key }) => key))
  const rest = withoutKeys(after, settings, keys)
  const back = (old ?? []).filter(({ key }) => keys.has(key)).map(({ key, value }) => formatSetting(key, value))
  const text = back.length === 0 ? rest : `${rest}${rest === '' || rest.endsWith('\n') ? '' : '\n'}${back.join('')}`
  const edited = parseConfig(text)
  return { text: edited !== null && judge(edited).length === 0 ? text : null, objections }
}
