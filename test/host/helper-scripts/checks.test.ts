import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perlHelper } from '../../../src/host/helper-scripts/helper-script.js'

const DIRECTORY = resolve(import.meta.dirname, '../../../src/host/helper-scripts')
const DIST = resolve(import.meta.dirname, '../../../dist/helper-scripts')
const FILES = readdirSync(DIRECTORY).filter((name) => !name.endsWith('.ts'))
const PERL = FILES.filter((name) => name.endsWith('.pl'))
const SHELL = FILES.filter((name) => /sh$/.test(name))

const installed = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((directory) => existsSync(join(directory, program)))
const complaints = (program: string, args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: DIRECTORY, encoding: 'utf8' })
  return status === 0 ? '' : `${program} ended with ${status}: ${stdout}${stderr}`
}

describe('the Perl helpers', () => {
  it.each(PERL.flatMap((name) => ['x64', 'arm64'].map((architecture) => [name, architecture] as const)))(
    '%s compiles without a warning on architecture %s',
    (name, architecture) => {
      const { stderr } = spawnSync('perl', ['-w', '-I.', '-c', name, architecture], {
        cwd: DIRECTORY,
        encoding: 'utf8',
      })
      expect(stderr).toBe(`${name} syntax OK\n`)
    },
  )

  it('Perl helpers exit with a message if the architecture has no table of system calls', () => {
    for (const name of PERL) {
      const { status, stderr } = spawnSync('perl', ['-I.', '-c', name, 'mips'], { cwd: DIRECTORY, encoding: 'utf8' })
      expect([name, status === 0, stderr.split('\n')[0]]).toEqual([
        name,
        false,
        'The system calls of this architecture are not known.',
      ])
    }
  })

  it('Perl helpers load only strict and their own module, so a minimal Perl is enough', () => {
    for (const name of [...PERL, 'Syscalls.pm']) {
      const used = [...readFileSync(join(DIRECTORY, name), 'utf8').matchAll(/^\s*(?:use|require) ([\w:]+)/gm)]
      expect(new Set([...used.map(([, module]) => module), 'strict', 'Syscalls'])).toEqual(
        new Set(['strict', 'Syscalls']),
      )
    }
  })

  it('Perl helpers start as one text with their module and open no file of the package', () => {
    const script = `${perlHelper('attributes.pl')}\nprint join ' ', grep { !/^strict/ } sort map { "$_=$INC{$_}" } keys %INC;`
    const { stdout } = spawnSync('perl', ['-e', script, 'x64'], { cwd: '/', encoding: 'utf8', input: '' })
    expect(stdout).toBe('Syscalls.pm=1')
  })

  it.skipIf(!installed('perlcritic'))('Perl helpers pass perlcritic (skipped if it is not installed)', () => {
    const args = ['--severity', '5', '--exclude', 'ProhibitSubroutinePrototypes', ...PERL, 'Syscalls.pm']
    expect(complaints('perlcritic', args)).toBe('')
  })
})

describe('the shell helpers', () => {
  it.each(SHELL)('%s is parsed by its shell', (name) => {
    expect(complaints(name.endsWith('.bash') ? 'bash' : 'sh', ['-n', name])).toBe('')
  })

  it.skipIf(!installed('shellcheck'))('shell helpers pass shellcheck (skipped if it is not installed)', () => {
    for (const name of SHELL) expect(complaints('shellcheck', ['-s', name.split('.').pop() ?? 'sh', name])).toBe('')
  })
})

describe('the package', () => {
  it('the package contains every helper unchanged', () => {
    const of = (directory: string) =>
      FILES.map(
        (name) => `${name}: ${existsSync(join(directory, name)) ? readFileSync(join(directory, name), 'utf8') : ''}`,
      )
    expect(of(DIST)).toEqual(of(DIRECTORY))
  })
})
