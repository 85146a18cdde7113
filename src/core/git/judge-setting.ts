import { isTracking, REDIRECTS } from './compare-settings.js'
import { isFree, isPlainAddress } from './setting-table.js'

/** `free`: a command may do it by itself. The others are as in `Objection`. */
export type Risk = 'free' | 'redirects' | 'refused'

/** The key as the table has it: in small letters, but for its middle part. */
export function normalKey(key: string): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  return `${key.slice(0, first).toLowerCase()}${key.slice(first, last)}${key.slice(last).toLowerCase()}`
}

/**
 * Judges one setting by the table, before anybody knows what it replaces. `value`: null where it is not known, or where the setting is
 * removed. What depends on the old value is judged again when the change is committed.
 */
export function judgeSetting(key: string, value: string | null, isNewRemote = false): Risk {
  if (isFree(key, value ?? '\0')) return 'free'
  if (REDIRECTS.test(key)) return 'redirects'
  if (/^branch\..+\.remote$/s.test(key))
    return value === null || /^(?:\.|[\w][\w./-]*)$/.test(value) ? 'free' : 'redirects'
  if (/^remote\..+\.fetch$/s.test(key)) return value === null || isTracking(value) ? 'free' : 'redirects'
  if (/^(?:remote|submodule)\..+\.url$/s.test(key)) {
    if (value !== null && !isPlainAddress(value)) return 'refused'
    return isNewRemote ? 'free' : 'redirects'
  }
  return 'refused'
}
