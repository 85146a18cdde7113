import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  buildCommand,
  checkBlocklist,
  createPathGuard,
  DENIED_PROGRAMS,
  effectiveShellCommand,
  escapeArg,
  extractBlocks,
  SHELLS,
  validateCommand,
} from '../../src/index.js'
import { fc } from '../property.js'

describe('building commands', () => {
  let bin = ''
  beforeAll(() => {
    bin = mkdtempSync(join(tmpdir(), 'cordon-programs-'))
  })
  afterAll(() => rmSync(bin, { recursive: true, force: true }))

  /** Runs a line in real bash, where the program of that name prints its own name and arguments. */
  function ran(name: string, line: string): string {
    const program = join(bin, name)
    writeFileSync(program, '#!/bin/bash -p\nprintf "%s\\0" "${0##*/}" "$@"\n')
    chmodSync(program, 0o755)
    return execFileSync('/bin/bash', ['--norc', '-c', '--', line], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
      encoding: 'utf8',
    })
  }

  it('an argument is always quoted', () => {
    expect(escapeArg('hello')).toBe("'hello'")
    expect(escapeArg("it's")).toBe("'it'\\''s'")
    expect(() => escapeArg('a\0b')).toThrow('NUL')
  })

  it.each([
    'A=b',
    'if',
    'then',
    '{',
    '!',
    '[[',
    'time',
    '-x',
    '~',
    'a b',
    '*',
    '#x',
    '$(id)',
    'a;b',
    "it's",
    'a\\b',
    '{a,b}',
  ])('a program named %s is run as that program', (name) => {
    expect(ran(name, buildCommand(name, ['x y', '$HOME', '-n']))).toBe(`${name}\0x y\0$HOME\0-n\0`)
  })

  it.each([
    '',
    ' ',
    'a\nb',
    'a\0b',
    '\u001b[0m',
    'cd',
    'eval',
    'exec',
    'export',
    '.',
    'source',
    ':',
    'set',
    'trap',
    'unset',
  ])('a program named %j is refused', (name) => {
    expect(() => buildCommand(name, [])).toThrow(/must not be empty|control characters|is a builtin of bash/)
  })

  it('every other name and every argument reach the program as they are', () => {
    // Builtins that are programs too answer in their own words.
    const both = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'kill', 'pwd'])
    const name = fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme-ascii' })
    fc.assert(
      fc.property(name, fc.array(fc.string({ maxLength: 8 })), (program, args) => {
        fc.pre(
          !program.includes('/') && !both.has(program) && program !== '..' && !/[\ud800-\udfff]/.test(args.join('')),
        )
        let line: string
        try {
          line = buildCommand(program, args)
        } catch {
          return
        }
        expect(ran(program, line)).toBe([program, ...args, ''].join('\0'))
      }),
      { numRuns: 150 },
    )
  })

  it('no builtin of this bash is run in place of a program', () => {
    const builtins = execFileSync('/bin/bash', ['-c', 'compgen -b'], { encoding: 'utf8' }).trim().split('\n')
    const both = new Set(['echo', 'printf', 'test', '[', 'true', 'false', 'kill', 'pwd'])
    const accepted = builtins.filter((name) => {
      try {
        return buildCommand(name, []) !== ''
      } catch {
        return false
      }
    })
    expect(accepted.filter((name) => !both.has(name))).toEqual([])
  })
})

describe('checks of the text', () => {
  it.each([
    ['sudo id', 'sudo'],
    ['echo "sudo is a word"', null],
    ['rm -rf /', 'rm -rf /'],
    ['rm -r -f /', 'rm -rf /'],
    ['rm -fr /*', 'rm -rf /'],
    ['rm -rf build/', null],
    ['SUDO id', 'sudo'],
    ['echo $(curl x)', 'curl'],
    ['env FOO=1 wget x', 'wget'],
    ['bash -c "reboot"', 'reboot'],
    ['dd if=/dev/zero of=x', 'dd if='],
    ['c=sudo; $c id', 'sudo'],
    ['mkfs.ext4 /dev/sda', 'mkfs'],
    ['eval "$(cat x)"', '"$(cat x)"'],
  ])('%s', (script, pattern) => {
    if (pattern === null || !pattern.startsWith('"')) expect(checkBlocklist(script)).toBe(pattern)
    else expect(checkBlocklist(script)).not.toBeNull()
  })

  it('a list of one’s own replaces the default', () => {
    expect(checkBlocklist('git push origin', ['git push'])).toBe('git push')
    expect(checkBlocklist('sudo id', ['git push'])).toBeNull()
  })

  it('the script of a shell is its effective command', () => {
    expect(effectiveShellCommand('/bin/bash', ['-c', 'sudo id'])).toBe('sudo id')
    expect(effectiveShellCommand('bash', ['script.sh'])).toBeNull()
    expect(effectiveShellCommand('git', ['-c', 'x=y'])).toBeNull()
    for (const shell of SHELLS) expect(effectiveShellCommand(shell, ['-c', 'x'])).toBe('x')
  })

  it('a command is validated by its text', () => {
    for (const good of ['ls -la', 'git status', "echo 'hello'"]) expect(() => validateCommand(good)).not.toThrow()
    expect(() => validateCommand('  ')).toThrow('Empty command')
    expect(() => validateCommand('rm -rf /')).toThrow('matches the blocked pattern "rm -rf /"')
  })

  it('blocks are extracted by language, and programs are listed', () => {
    expect(extractBlocks('```sh\nls\n```\n```bash\npwd\n```')).toEqual(['pwd'])
    expect(extractBlocks('```sh\nls\n```', 'sh')).toEqual(['ls'])
    expect(DENIED_PROGRAMS).toContain('visudo')
  })
})

describe('a path guard', () => {
  let root = ''
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'cordon-guard-'))
    mkdirSync(join(root, 'in/dir'), { recursive: true })
    writeFileSync(join(root, 'in/file'), 'x')
    symlinkSync('/etc', join(root, 'in/out'))
    symlinkSync('dir', join(root, 'in/link'))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it('resolves symlinks and refuses what lies outside, with the error that fits', () => {
    const guard = createPathGuard([join(root, 'in')])
    expect(guard.resolve('link/new.txt')).toBe(join(root, 'in/dir/new.txt'))
    expect(guard.directory('link')).toBe(join(root, 'in/dir'))
    expect(() => guard.resolve('../x')).toThrow('lies outside the allowed roots')
    expect(() => guard.resolve('out/passwd')).toThrow('goes through the symbolic link')
    expect(() => guard.resolve('link/../../../etc')).toThrow('outside the allowed roots')
    expect(() => guard.directory('file')).toThrow('is not a directory but a file')
    expect(() => guard.directory('none')).toThrow('does not exist')
    expect(() => guard.resolve('')).toThrow('non-empty string')
    expect(() => createPathGuard([])).toThrow('at least one absolute path')
  })
})
