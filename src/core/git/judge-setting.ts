import { isTracking, REDIRECTS } from './compare-settings.js'
import { isFree, isPlainAddress } from './setting-table.js'

/** The risk of a setting. `free`: a command can set it. The others are as in `Objection`. */
export type Risk = 'free' | 'redirects' | 'refused'

/** Returns the key of the table: lower case, except the middle part. */
export function normalKey(key: string): string {
  const first = key.indexOf('.')
  const last = key.lastIndexOf('.')
  return `${key.slice(0, first).toLowerCase()}${key.slice(first, last)}${key.slice(last).toLowerCase()}`
}

/** Judges one setting by the table, without its old value. Null stands for an unknown or removed value. */
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
