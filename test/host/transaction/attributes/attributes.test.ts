import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAttributeClient } from '../../../../src/host/transaction/attributes/attributes.js'

describe('extended attributes', () => {
  let top: string
  const attributeClient = createAttributeClient()
  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-attributes-')))
    mkdirSync(join(top, 'd'))
    writeFileSync(join(top, 'f'), 'f')
  })
  afterEach(() => {
    attributeClient.close()
    rmSync(top, { recursive: true, force: true })
  })
  const place = (name: string): Buffer => Buffer.from(join(top, name))
  /** As another program sees them. */
  const listed = (): readonly string[] =>
    execFileSync('tar', ['-C', top, '--format=posix', '--xattrs', '-cf', '-', 'd', 'f'], { encoding: 'latin1' }).match(
      /SCHILY\.xattr\.[^\n]*/g,
    ) ?? []

  it('are read as they were written, with any bytes, and removed when not wanted', async () => {
    const odd = { 'user.a': 'one', 'user.b c,:=': 'line\nend\0\xff' }
    await attributeClient.write(place('d'), odd)
    await attributeClient.write(place('f'), { 'user.f': '' })
    expect(await attributeClient.read([place('d'), place('f'), place('none')])).toEqual([odd, { 'user.f': '' }, null])
    expect(listed()).toContain('SCHILY.xattr.user.a=one')
    await attributeClient.write(place('d'), { 'user.a': 'two' })
    expect(listed()).toEqual(['SCHILY.xattr.user.a=two', 'SCHILY.xattr.user.f='])
  })

  it('of overlayfs are taken away, and no others', async () => {
    const own = { 'user.a': 'one', 'user.overlays': 'two' }
    await attributeClient.write(place('f'), { ...own, 'user.overlay.origin': 'x', 'user.overlay.overlay.y': 'y' })
    expect(listed()).toHaveLength(4)
    expect(await attributeClient.strip([place('f'), place('d'), place('none')])).toEqual([true, true, false])
    expect(listed().toSorted()).toEqual(['SCHILY.xattr.user.a=one', 'SCHILY.xattr.user.overlays=two'])
  })

  it('are answered in order, however many are asked for at once', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `n${index}`)
    for (const name of names) writeFileSync(join(top, name), '')
    await Promise.all(names.map((name) => attributeClient.write(place(name), { 'user.name': name })))
    expect(await attributeClient.read(names.map(place))).toEqual(names.map((name) => ({ 'user.name': name })))
  })

  it('cannot be set on what is not there, which is said', async () => {
    await expect(attributeClient.write(place('none'), {})).rejects.toThrow(
      'cannot set extended attributes: No such file',
    )
  })
})
