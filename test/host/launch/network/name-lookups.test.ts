import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostLookup, NameLookups, type Resolve } from '../../../../src/host/launch/network/name-lookups.js'
import { InheritedDescriptors } from '../../../../src/host/launch/process/inherited-descriptors.js'

const never: Resolve = () => new Promise(() => undefined)

describe('lookups of names for one sandbox', () => {
  it('are few at once, however many a command asks for', async () => {
    const asked: string[] = []
    const lookups = new NameLookups((name) => {
      asked.push(name)
      return never(name, new AbortController().signal)
    })
    const all = Array.from({ length: 1_000 }, (_, i) => lookups.addressesOf(`n${i}.test`))
    const outcomes = Promise.allSettled(all)
    await new Promise(setImmediate)
    expect(asked).toHaveLength(8)
    lookups.close()
    expect((await outcomes).every(({ status }) => status === 'rejected')).toBe(true)
    expect(asked).toHaveLength(8)
  })

  it('of the same name are one', async () => {
    let count = 0
    const lookups = new NameLookups(async () => {
      count += 1
      return ['192.0.2.1']
    })
    expect(await Promise.all([1, 2, 3].map(() => lookups.addressesOf('a.test')))).toEqual(Array(3).fill(['192.0.2.1']))
    expect(count).toBe(1)
  })

  it('that waited go on when one before them has ended', async () => {
    const lookups = new NameLookups(async (name) => [name])
    const all = Array.from({ length: 100 }, (_, i) => lookups.addressesOf(`${i}`))
    expect((await Promise.all(all)).flat()).toHaveLength(100)
  })
})

describe('a lookup by the resolver of the host', () => {
  let directory: string
  const inherited = new InheritedDescriptors()
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'cordon-getent-'))
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))
  const getent = (script: string): string => {
    const file = join(directory, 'getent')
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
    return file
  }

  it('finds the addresses of this host', async () => {
    const found = await hostLookup(inherited)('localhost', new AbortController().signal)
    expect(found.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true)
  })

  it('rejects a name without an address', async () => {
    await expect(hostLookup(inherited)('nowhere.invalid', new AbortController().signal)).rejects.toThrow()
  })

  it('ends at once with the sandbox where the resolver never answers', async () => {
    const pid = join(directory, 'pid')
    const lookups = new NameLookups(hostLookup(inherited, getent(`echo $$ > ${pid}; echo there >&1; exec sleep 600`)))
    const found = lookups.addressesOf('a.test')
    found.catch(() => undefined)
    await new Promise(setImmediate)
    const begun = performance.now()
    lookups.close()
    await expect(found).rejects.toThrow()
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
