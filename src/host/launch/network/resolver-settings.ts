import { readFileSync } from 'node:fs'
import { addressBytes } from './address-bytes.js'

/** Name server of a program that finds no such file. */
const DEFAULT_SERVER = '127.0.0.1'
const MAX_SERVERS = 8

/**
 * Settings of a resolver inside the sandbox, from the host's file: its servers, and the domains that it appends to
 * short names.
 */
export interface ResolverSettings {
  readonly servers: readonly string[]
  readonly search: readonly string[]
}

export function resolverSettings(text: string): ResolverSettings {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const named = lines.flatMap(([key, address = '']) =>
    key === 'nameserver' && addressBytes(address) !== null ? address : [],
  )
  const search = lines.flatMap(([key, ...domains]) => (key === 'search' || key === 'domain' ? domains : []))
  return {
    servers: [...new Set([DEFAULT_SERVER, ...named])].slice(0, MAX_SERVERS),
    search: search.map((domain) => domain.replace(/^\.|\.$/g, '').toLowerCase()).filter((domain) => domain !== ''),
  }
}

/** Returns the names of an address in an /etc/hosts file. Programs inside read them there, without a query. */
export function namesInHosts(text: string, address: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  const wanted = addressBytes(address)
  return lines.flatMap(([at = '', ...names]) => (wanted !== null && addressBytes(at) === wanted ? names : []))
}

export function hostNamesOf(address: string): readonly string[] {
  try {
    return namesInHosts(readFileSync('/etc/hosts', 'latin1'), address)
  } catch {
    return []
  }
}

/** Reads the present file. The sandbox shows the host's file, and its servers' addresses lead to the engine there. */
export function hostResolver(): ResolverSettings {
  try {
    return resolverSettings(readFileSync('/etc/resolv.conf', 'latin1'))
  } catch {
    return resolverSettings('')
  }
}
