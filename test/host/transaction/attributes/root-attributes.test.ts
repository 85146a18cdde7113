import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAttributeClient } from '../../../../src/host/transaction/attributes/attributes.js'
import { RootMemory } from '../../../../src/host/transaction/attributes/root-attributes.js'
import { makeClock } from '../../../../src/host/transaction/paths/filesystem-clock.js'

describe('the extended attributes of a root', () => {
  const attributeClient = createAttributeClient()
  let top: string
  let root: string
  let clock: string
  let asked: number
  let memory: RootMemory
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-roots-')))
    root = join(top, 'root')
    clock = join(top, 'clock')
    mkdirSync(root)
    makeClock(clock)
    asked = 0
    const counted: typeof attributeClient.read = (places) => {
      asked += 1
      return attributeClient.read(places)
    }
    memory = new RootMemory({ ...attributeClient, read: counted })
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))
  afterAll(() => attributeClient.close())
  const set = (value: string) => attributeClient.write(Buffer.from(root), { 'user.a': value })

  it('are asked for once while nothing happens to it', async () => {
    await set('one')
    expect(await memory.learn([root], clock)).toEqual([{ 'user.a': 'one' }])
    expect([await memory.of([root]), await memory.of([root]), asked]).toEqual([
      [{ 'user.a': 'one' }],
      [{ 'user.a': 'one' }],
      1,
    ])
  })

  it('are asked for again when it was changed, however soon', async () => {
    for (let round = 0; round < 200; round += 1) {
      await memory.learn([root], clock)
      await set(`${round}`)
      expect(await memory.of([root])).toEqual([{ 'user.a': `${round}` }])
    }
  })

  it('are asked for again when something was made in it, or another directory stands there', async () => {
    await set('one')
    await memory.learn([root], clock)
    writeFileSync(join(root, 'new'), '')
    expect([await memory.of([root]), asked]).toEqual([[{ 'user.a': 'one' }], 2])
    await memory.learn([root], clock)
    renameSync(root, join(top, 'away'))
    expect(await memory.of([root])).toEqual([null])
    mkdirSync(root)
    expect(await memory.of([root])).toEqual([{}])
  })
})
