import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameServiceFor, withoutNames } from '../../../src/host/observe/absent-names.js'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-name-service-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('settings of name lookups for a sandbox without a network', () => {
  it.each([
    ['passwd: files\nhosts: files mdns4_minimal [NOTFOUND=return] dns # x\nrpc: db', 'hosts: files dns files', 3],
    ['hosts:\tmymachines resolve [!UNAVAIL=return] files myhostname dns\n', 'hosts: files myhostname dns files', 2],
    ['passwd: files', 'hosts: files dns files', 3],
    ['hosts: files # not myhostname', 'hosts: files dns files', 1],
  ])('%j answer last from the files', (text, line, lines) => {
    expect(withoutNames(text)).toContain(line)
    expect(withoutNames(text).split('\n')).toHaveLength(lines)
  })

  it('are written once, and again when the file of the host changes', () => {
    const host = join(directory, 'nsswitch.conf')
    const state = join(directory, 'state')
    writeFileSync(host, 'passwd: files\n')
    const found = nameServiceFor(state, host)
    expect(found).toEqual({ from: join(state, 'no-network/nsswitch.conf'), at: host })
    expect(readFileSync(found?.from ?? '', 'utf8')).toBe('passwd: files\nhosts: files dns files\n')
    writeFileSync(host, 'group: files\n')
    nameServiceFor(state, host)
    expect(readFileSync(found?.from ?? '', 'utf8')).toContain('group: files')
  })

  it('are left out where the host has no such file', () => {
    expect(nameServiceFor(directory, join(directory, 'missing'))).toBeNull()
  })
})
