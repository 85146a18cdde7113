import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { removeTree } from '../../../../src/host/transaction/paths/remove-tree.js'
import { bundled } from '../support/bundled.js'

const NOBODY = 65534
const isRoot = process.geteuid?.() === 0
/** As root, and as an ordinary user who is root of a namespace of his own: both may mount there. */
const USERS = isRoot ? ['root', 'an ordinary user'] : ['an ordinary user']

describe.each(USERS)('a workspace on a file system of its own, as %s', (user) => {
  let came: Record<string, Record<string, unknown>>
  beforeAll(async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-places-')))
    try {
      const child = await bundled('locations-child.ts', join(top, 'child.mjs'))
      const ordinary = user !== 'root'
      if (ordinary && isRoot) chownSync(top, NOBODY, NOBODY)
      const as = ordinary && isRoot ? { uid: NOBODY, gid: NOBODY } : {}
      const namespaces = ordinary ? ['--user', '--map-root-user', '--mount'] : ['--mount']
      const { stdout } = await promisify(execFile)(
        'unshare',
        [...namespaces, '--propagation', 'private', '--', process.execPath, child],
        { cwd: '/', env: { ...process.env, TMPDIR: top, HOME: top }, ...as },
      )
      came = JSON.parse(stdout)
    } finally {
      await removeTree(top)
    }
  }, 300_000)

  it('is secured all the same, with its previous versions in a place of their own that git ignores', () => {
    expect(came.own).toEqual({
      outcomes: ['rolled-back', 'committed'],
      made: 'one\ntwo\nthree\nx\n',
      conflicts: [],
      names: ['a.txt', 'empty', 'link', 'linked', 'src', 'tool.sh'],
      ignored: '*\n',
    })
  })

  it('that is full is left exactly as it was, which is said, and later commands go on', () => {
    expect(came.full).toEqual({ warned: true, same: true, small: 'committed' })
  })

  it('is not secured when other mounts lie below it, since whenever, and the message names them', () => {
    expect(came.below).toEqual({
      before: 'committed',
      refused: expect.stringMatching(/other file systems are mounted below .* \(.*\/below\)/),
      ran: false,
      there: 'there',
      after: 'committed',
    })
  })

  it('that has become read-only is not secured, and the message says so', () => {
    expect(came.readOnly?.before).toBe('committed')
    expect(came.readOnly?.refused).toMatch(/read-only file system/i)
  })
})
