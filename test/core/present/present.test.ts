import { describe, expect, it } from 'vitest'
import { createCapture } from '../../../src/core/capture/capture.js'
import { cut, lastChars } from '../../../src/core/present/cut.js'
import { type PresentInput, present } from '../../../src/core/present/present.js'
import { cpuMs } from './cpu-time.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function input(
  stdout: string,
  stderr = '',
  over: Partial<PresentInput> & { readonly capture?: number } = {},
): PresentInput {
  const capture = createCapture(over.capture ?? 1_000_000)
  capture.push('stdout', bytes(stdout))
  capture.push('stderr', bytes(stderr))
  return {
    command: { mode: 'shell', script: 'x' },
    argvs: [['x']],
    captured: capture.finish(),
    exitCode: 0,
    ok: true,
    presentedChars: 50_000,
    filters: true,
    ...over,
  }
}

describe('presenting', () => {
  it('ordinary output passes unchanged', () => {
    expect(present(input('out\n', 'err\n'))).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      output: 'out\nerr\n',
      truncated: false,
      filter: null,
    })
  })

  it('cuts to the tail under an exact header', () => {
    const shown = present(input('a'.repeat(60) + 'b'.repeat(50), '', { presentedChars: 50 }))
    expect(shown.stdout).toBe(`[Output truncated: showing last 50 chars of 110 chars]\n${'b'.repeat(50)}`)
    expect(shown).toMatchObject({ truncated: true, stderr: '', output: shown.stdout })
  })

  it('cuts each stream on its own', () => {
    const shown = present(input('fine', 'e'.repeat(11), { presentedChars: 10 }))
    expect(shown.stdout).toBe('fine')
    expect(shown.stderr).toBe(`[Output truncated: showing last 10 chars of 11 chars]\n${'e'.repeat(10)}`)
    expect(shown.output).toBe(`[Output truncated: showing last 10 chars of 15 chars]\n${'e'.repeat(10)}`)
  })

  it('the header has the total of all output, captured or not', () => {
    const shown = present(input('€'.repeat(1000), '', { capture: 100, presentedChars: 50 }))
    expect(shown.stdout).toBe(`[Output truncated: showing last 33 chars of 1000 chars]\n${'€'.repeat(33)}`)
    expect(shown.truncated).toBe(true)
  })

  it('counts characters as code points and never splits a pair', () => {
    const shown = present(input('😀'.repeat(20), '', { presentedChars: 7 }))
    expect(shown.stdout).toBe(`[Output truncated: showing last 7 chars of 20 chars]\n${'😀'.repeat(7)}`)
  })

  it('cuts nothing that fits exactly', () => {
    expect(present(input('x'.repeat(50), '', { presentedChars: 50 })).stdout).toBe('x'.repeat(50))
    expect(present(input('😀'.repeat(50), '', { presentedChars: 50 })).truncated).toBe(false)
  })

  it('shows binary output without breaking', () => {
    const capture = createCapture(1000)
    capture.push(
      'stdout',
      Uint8Array.from({ length: 256 }, (_, i) => i),
    )
    const shown = present({ ...input(''), captured: capture.finish() })
    expect(shown.stdout).toContain('ABC')
    expect(shown.stdout).toContain('\ufffd')
  })

  it('a character that the other stream interrupts is joined', () => {
    const capture = createCapture(1000)
    const euro = bytes('€')
    capture.push('stdout', euro.slice(0, 1))
    capture.push('stderr', bytes('!'))
    capture.push('stdout', euro.slice(1))
    expect(present({ ...input(''), captured: capture.finish() }).output).toBe('!€')
  })

  it('presents ten megabytes of short lines in little time', () => {
    const over = { argvs: [['npm', 'test']], capture: 10 * 1024 * 1024 }
    const flood = input('y\n'.repeat(6_000_000), '', over)
    expect(cpuMs(() => void present(flood))).toBeLessThan(2_000)
    expect(present(flood).stdout.startsWith('[Output truncated: showing last 50000 chars of 12000000 chars]\n')).toBe(
      true,
    )
  })
})

describe('cutting', () => {
  it('keeps a lone surrogate as one character', () => {
    expect(lastChars('a\ud800b', 2)).toBe('\ud800b')
    expect(lastChars('\udc00\udc00', 1)).toBe('\udc00')
    expect(cut('', 10, 0, false)).toEqual({ text: '', truncated: false })
  })
})
