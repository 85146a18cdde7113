import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asCordonError } from '../../src/engine/errors/as-cordon-error.js'

const failed = (code: string): Error =>
  Object.assign(new Error(`${code}: some words, mkdir '/tmp/x'`), { code, syscall: 'mkdir', path: '/tmp/x' })

describe('an error of a system call', () => {
  it.each(['EROFS', 'ENOSPC', 'EDQUOT', 'EACCES', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
    'with %s is the host refusing, says what to do, and is no defect',
    (code) => {
      const { code: ours, message } = asCordonError(failed(code))
      expect(ours).toBe('START_FAILED')
      expect(message).toMatch(/^The host refused Cordon `mkdir \/tmp\/x`: .+\. [A-Z].+\.$/)
      expect(message).not.toMatch(/defect/)
    },
  )

  it('an error of a system call that no host property explains is a defect', () => {
    const directory = mkdtempSync(join(tmpdir(), 'cordon-test-'))
    try {
      writeFileSync(directory, '')
    } catch (error) {
      expect(asCordonError(error)).toMatchObject({ code: 'INTERNAL', message: expect.stringContaining('defect') })
    } finally {
      rmSync(directory, { recursive: true })
    }
    expect.assertions(1)
  })

  it('an error that has only a code, as a library may throw, is a defect', () => {
    expect(asCordonError(Object.assign(new Error('x'), { code: 'EACCES' })).code).toBe('INTERNAL')
  })
})
