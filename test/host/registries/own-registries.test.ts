import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostsToAllow } from '../../../src/doctor.js'
import { ownRegistries } from '../../../src/host/registries/own-registries.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cordon-registries-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(home, file)), { recursive: true })
  writeFileSync(join(home, file), text)
}

describe("the registries of a person's own settings", () => {
  it('are read from npm, pip and cargo, without the credentials in an address', () => {
    write(
      '.npmrc',
      'registry=https://me:secret@npm.corp.test/path\n@team:registry = http://npm2.corp.test:8080\n//npm.corp.test/:_authToken=t\n',
    )
    write('.config/pip/pip.conf', '[global]\nindex-url = https://token@pip.corp.test/simple\n')
    write('.cargo/config.toml', '[registries.own]\nindex = "sparse+https://crates.corp.test/index/"\n')
    expect(ownRegistries(home)).toEqual([
      { tool: 'npm', file: '~/.npmrc', host: 'npm.corp.test:443' },
      { tool: 'npm', file: '~/.npmrc', host: 'npm2.corp.test:8080' },
      { tool: 'pip', file: '~/.config/pip/pip.conf', host: 'pip.corp.test:443' },
      { tool: 'cargo', file: '~/.cargo/config.toml', host: 'crates.corp.test:443' },
    ])
  })

  it('are none where there are no settings, or nonsense in them', () => {
    expect(ownRegistries(home)).toEqual([])
    write('.npmrc', 'registry=\nregistry=not an address\nregistry=file:///x\n')
    mkdirSync(join(home, '.pip/pip.conf'), { recursive: true })
    expect(ownRegistries(home)).toEqual([])
  })

  it('are offered where the profile does not list them', () => {
    const registries = ['npm.corp.test:443', 'registry.npmjs.org:443', 'pip.corp.test:443'].map((host) => ({
      tool: 'npm',
      file: '~/.npmrc',
      host,
    }))
    const network = { hosts: ['pip.corp.test'], sets: ['npm' as const] }
    expect(hostsToAllow(registries, network)).toEqual(['npm.corp.test:443'])
    expect(hostsToAllow(registries, { hosts: ['*.corp.test'], sets: ['npm'] })).toEqual([])
    expect(hostsToAllow(registries, 'full')).toEqual([])
  })
})
