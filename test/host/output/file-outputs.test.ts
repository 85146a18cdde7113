import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileOutputs } from '../../../src/host/output/file-outputs.js'
import { StreamFile } from '../../../src/host/output/stream-file.js'
import { fc } from '../../property.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const code = (expected: string) => expect.objectContaining({ code: expected })

describe('kept output', () => {
  let base: string
  let directory: string
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'cordon-output-'))
    directory = join(base, 'deep', 'output')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const keep = async (id: string, text: string, maxBytes = 1_000_000) => {
    const outputs = createFileOutputs({ directory, maxBytes })
    const sink = outputs.open(id)
    sink.write('stdout', bytes(text))
    await sink.close()
    return outputs
  }

  it('reads back in ranges what each stream got, from another process too', async () => {
    const outputs = createFileOutputs({ directory, maxBytes: 1_000_000 })
    const sink = outputs.open('run1')
    sink.write('stdout', bytes('hello '))
    sink.write('stderr', bytes('oops'))
    sink.write('stdout', bytes('world'))
    await sink.close()
    const later = createFileOutputs({ directory, maxBytes: 1 })
    expect(await later.read('run1', 'stdout', 0, 5)).toEqual({ text: 'hello', totalBytes: 11 })
    expect(await later.read('run1', 'stdout', 6, Number.POSITIVE_INFINITY)).toEqual({ text: 'world', totalBytes: 11 })
    expect(await later.read('run1', 'stderr', 0, 100)).toEqual({ text: 'oops', totalBytes: 4 })
    expect(await later.read('run1', 'stdout', 50, 60)).toEqual({ text: '', totalBytes: 11 })
  })

  it('is found by a beginning of its id that no other has', async () => {
    await keep('abc1', 'one')
    const outputs = await keep('abd2', 'two')
    expect(await outputs.read('abd', 'stdout', 0, 10)).toMatchObject({ text: 'two' })
    await expect(outputs.read('ab', 'stdout', 0, 10)).rejects.toThrow(/ambiguous.*abc1.*abd2|ambiguous.*abd2.*abc1/)
    await expect(outputs.read('', 'stdout', 0, 10)).rejects.toEqual(code('NOT_FOUND'))
  })

  it('can be read while the command runs', async () => {
    const outputs = createFileOutputs({ directory, maxBytes: 100 })
    const sink = outputs.open('run1')
    sink.write('stdout', bytes('now'))
    expect(await outputs.read('run1', 'stdout', 0, 10)).toEqual({ text: 'now', totalBytes: 3 })
    await sink.close()
  })

  it('kept output is readable by its owner only', async () => {
    await keep('run1', 'x')
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600)
  })

  it('keeps no more than the limit over both streams, and counts the rest', async () => {
    const outputs = createFileOutputs({ directory, maxBytes: 100 })
    const sink = outputs.open('run1')
    sink.write('stdout', new Uint8Array(60).fill(97))
    sink.write('stderr', new Uint8Array(60).fill(98))
    sink.write('stdout', new Uint8Array(1000).fill(99))
    expect((await outputs.read('run1', 'stdout', 0, 1)).totalBytes).toBe(1060)
    await sink.close()
    expect(statSync(join(directory, 'run1.stdout')).size + statSync(join(directory, 'run1.stderr')).size).toBe(100)
    const later = createFileOutputs({ directory, maxBytes: 100 })
    expect(await later.read('run1', 'stdout', 0, 2000)).toEqual({ text: 'a'.repeat(60), totalBytes: 1060 })
    expect(await later.read('run1', 'stderr', 39, 2000)).toEqual({ text: 'b', totalBytes: 60 })
  })

  it('gives every character to exactly one range', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.array(fc.nat(200), { maxLength: 6 }),
        fc.uuid(),
        async (text, cuts, id) => {
          const outputs = await keep(id, text)
          const size = bytes(text).length
          const borders = [0, ...cuts.map((c) => c % (size + 1)).sort((a, b) => a - b), size]
          const parts = await Promise.all(
            borders.slice(1).map((to, i) => outputs.read(id, 'stdout', borders[i] as number, to)),
          )
          expect(parts.map((part) => part.text).join('')).toBe(text)
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each(['../x', 'a/b', '', '.', '..', 'a\0b', 'a.b', '-x', 'x'.repeat(200), 'a\nb'])(
    'takes no id like %j',
    async (id) => {
      const outputs = createFileOutputs({ directory, maxBytes: 100 })
      expect(() => outputs.open(id)).toThrowError(code('INVALID_ARGUMENTS'))
      await expect(outputs.read(id, 'stdout', 0, 1)).rejects.toEqual(code('NOT_FOUND'))
      expect(existsSync(directory) ? readdirSync(directory) : []).toEqual([])
    },
  )

  it('says so when there is nothing, and when a range is none', async () => {
    const outputs = await keep('run1', 'x')
    await expect(outputs.read('run2', 'stdout', 0, 1)).rejects.toEqual(code('NOT_FOUND'))
    for (const [from, to] of [
      [-1, 5],
      [5, 1],
      [0.5, 1],
      [Number.NaN, 1],
      [0, Number.NaN],
    ] as const) {
      await expect(outputs.read('run1', 'stdout', from, to)).rejects.toEqual(code('INVALID_ARGUMENTS'))
    }
  })

  it('follows no symlink that replaced the file, for writing or reading', async () => {
    await keep('other', 'x')
    const target = join(base, 'target')
    writeFileSync(target, 'precious')
    symlinkSync(target, join(directory, 'run1.stdout'))
    const outputs = createFileOutputs({ directory, maxBytes: 100 })
    expect(() => outputs.open('run1')).toThrowError(code('START_FAILED'))
    await expect(outputs.read('run1', 'stdout', 0, 10)).rejects.toEqual(code('NOT_FOUND'))
    expect(statSync(target).size).toBe(8)
  })

  it('says where and why when it cannot write', () => {
    writeFileSync(join(base, 'file'), '')
    const outputs = createFileOutputs({ directory: join(base, 'file', 'sub'), maxBytes: 100 })
    expect(() => outputs.open('run1')).toThrowError(/Cannot keep the output in .*file\/sub.*ENOTDIR/)
    const nowhere = createFileOutputs({ directory: '/proc/cordon/output', maxBytes: 100 })
    expect(() => nowhere.open('run1')).toThrowError(code('START_FAILED'))
  })

  it('drops the oldest runs when all together are too many, and nothing that is not its own', async () => {
    const outputs = createFileOutputs({ directory, maxBytes: 100, totalBytes: 300 })
    for (const [i, id] of ['a', 'b', 'c'].entries()) {
      const sink = outputs.open(id)
      sink.write('stdout', new Uint8Array(100))
      await sink.close()
      for (const stream of ['stdout', 'stderr']) utimesSync(join(directory, `${id}.${stream}`), 1000 + i, 1000 + i)
    }
    writeFileSync(join(directory, 'notes.txt'), 'x'.repeat(1000))
    await outputs.open('d').close()
    expect(readdirSync(directory).sort()).toEqual([
      'b.stderr',
      'b.stdout',
      'c.stderr',
      'c.stdout',
      'd.stderr',
      'd.stdout',
      'notes.txt',
    ])
  })

  it('stops the file and not the command when the disk is full, and counts what is lost', () => {
    const file = new StreamFile(openSync('/dev/full', 'w'))
    file.append(new Uint8Array(10))
    file.append(new Uint8Array(200_000))
    file.append(new Uint8Array(5))
    file.close()
    expect(file.cutBytes).toBe(200_015)
  })
})
