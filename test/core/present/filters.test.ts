import { describe, expect, it } from 'vitest'
import { createCapture } from '../../../src/core/capture/capture.js'
import { looksImportant, looksLikeProgress } from '../../../src/core/present/filters/law.js'
import { applyFilter, chooseFilter, FILTERS } from '../../../src/core/present/filters/registry.js'
import { present } from '../../../src/core/present/present.js'
import { fc } from '../../property.js'

const NOTE = /^\[… \d+ lines? of .+ omitted\]$/

/** One command of each family, so that a new filter without one fails below. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  git: ['git', 'pull'],
  npm: ['npm', 'test'],
  'test-run': ['vitest', 'run'],
  build: ['make', '-j4'],
  linter: ['npx', 'eslint', '.'],
  installer: ['pip', 'install', 'x'],
  listing: ['find', '.'],
}

function shown(argvs: readonly (readonly string[])[], stdout: string, exitCode = 0, stderr = '') {
  const capture = createCapture(10_000_000)
  capture.push('stdout', new TextEncoder().encode(stdout))
  capture.push('stderr', new TextEncoder().encode(stderr))
  return present({
    command: { mode: 'shell', script: '' },
    argvs,
    captured: capture.finish(),
    exitCode,
    ok: exitCode === 0,
    presentedChars: 50_000,
    filters: true,
  })
}

const line = fc.oneof(
  fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\n', ' ')),
  fc.constantFrom(
    ' ✓ adds two numbers (3 ms)',
    ' ✗ subtracts',
    'PASS src/a.test.ts',
    'FAIL src/b.test.ts',
    'test a::b ... ok',
    'test a::c ... FAILED',
    '--- PASS: TestX (0.00s)',
    '--- FAIL: TestY (0.00s)',
    '--- a/file',
    '+++ b/file',
    '+added',
    '-removed',
    '=== RUN   TestX',
    'Receiving objects:  50% (1/2)',
    'remote: Counting objects: 100% (3/3), done.',
    'error: failed to push some refs',
    'fatal: not a git repository',
    'npm warn deprecated foo@1.0.0: no longer supported',
    'npm http fetch GET 200 https://registry.example/foo 10ms',
    '3 packages are looking for funding',
    '  run `npm fund` for details',
    'hint: use git pull',
    '  (use "git add <file>..." to update what will be committed)',
    'thread main panicked at src/main.rs:1:1',
    '    at Object.<anonymous> (a.js:1:2)',
    'Traceback (most recent call last):',
    '  File "x.py", line 1, in <module>',
    './node_modules/a/index.js',
    './src/index.js',
    '-rw-r--r-- 1 root root 5 Jan 1 00:00 a',
    '[1/4] Resolving packages...',
    '⠙ installing',
    '[=====>    ] 50%',
    'gcc -O2 -c -o a.o a.c',
    'a.c:3:5: warning: unused variable',
    '[ 12%] Building C object a.o',
    '   Compiling serde v1.0.1',
    'check yaml...............................Passed',
    'check json...............................Failed',
    'src/a.ts 12ms (unchanged)',
    'Requirement already satisfied: six in /usr/lib',
    'Unpacking libfoo (1.0) ...',
    '',
  ),
)

describe('filter invariants', () => {
  it('every filter has a command in this test', () => {
    expect(FILTERS.map(({ name }) => name).sort()).toEqual(Object.keys(COMMANDS).sort())
    for (const [name, argv] of Object.entries(COMMANDS)) expect(chooseFilter([argv])?.filter.name).toBe(name)
  })

  it.each(Object.entries(COMMANDS))('filter invariants hold for %s with random output', (_, argv) => {
    const chosen = chooseFilter([argv])
    if (chosen === null) throw new Error('no filter')
    fc.assert(
      fc.property(fc.array(line, { maxLength: 80 }), fc.boolean(), (lines, ok) => {
        const text = lines.join('\n')
        const { text: filtered, kept } = applyFilter(chosen, text, ok)
        const raw = text.split('\n')
        const keptLines = raw.filter((_line, i) => kept[i])
        const dropped = raw.filter((_line, i) => !kept[i])
        // Nothing but whole lines in their order, and at most one line about what was dropped.
        const rest = filtered.split('\n')
        if (dropped.length > 0) {
          const at = kept.indexOf(false)
          expect(rest[at]).toMatch(NOTE)
          rest.splice(at, 1)
        }
        expect(rest).toEqual(keptLines)
        expect(dropped.filter(looksImportant)).toEqual([])
        if (!ok) expect(dropped.filter((l) => !looksLikeProgress(l))).toEqual([])
        expect(filtered.length).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 500 },
    )
  })

  it('filter invariants hold for a filter that proposes to drop everything', () => {
    const greedy = {
      name: 'greedy',
      matches: () => true,
      propose: (lines: readonly string[]) => lines.map(() => ({ kind: 'progress', what: 'everything' }) as const),
      recognises: () => true,
    }
    const bar = 'Receiving objects:  50% (1/2)'
    const output = `harmless words\nerror: boom\n${bar}\n${bar}\n-removed\n    at f (a.js:1:2)`
    expect(applyFilter({ filter: greedy, argv: [] }, output, false).text).toBe(
      'harmless words\nerror: boom\n[… 2 lines of everything omitted]\n-removed\n    at f (a.js:1:2)',
    )
    expect(applyFilter({ filter: greedy, argv: [] }, output, true).text).toContain('error: boom')
  })
})

describe('filters', () => {
  it('fold the passing tests of a green run and say so', () => {
    const passing = Array.from({ length: 30 }, (_, i) => ` ✓ test number ${i}`)
    const output = [' RUN  v4', ...passing, ' Test Files  1 passed (1)', '      Tests  30 passed (30)', ''].join('\n')
    const result = shown([['vitest', 'run']], output)
    expect(result.stdout).toBe(
      ' RUN  v4\n[… 30 lines of passing tests omitted]\n Test Files  1 passed (1)\n      Tests  30 passed (30)\n',
    )
    expect(result.filter).toEqual({
      filter: 'test-run',
      confidence: 'full',
      rawChars: output.length,
      keptChars: result.stdout.length,
      rawLines: 33,
      keptLines: 3,
      kept: [
        [1, 1],
        [32, 33],
      ],
    })
    expect(result.truncated).toBe(false)
  })

  it('keep a failed run whole', () => {
    const output = ' ✓ one\n ✓ two\n ✗ three\n AssertionError: 1 != 2\n Tests  1 failed | 2 passed (3)\n'
    expect(shown([['vitest', 'run']], output, 1).stdout).toBe(output)
  })

  it('keep unknown output whole, and report it', () => {
    const result = shown([['npm', 'run', 'build']], 'whatever this is\nand that\n')
    expect(result.stdout).toBe('whatever this is\nand that\n')
    expect(result.filter).toMatchObject({ confidence: 'fallback', rawLines: 2, keptLines: 2 })
  })

  it('cut the progress of a failed clone but nothing else', () => {
    const stderr = [
      "Cloning into 'x'...",
      ...Array.from({ length: 20 }, (_, i) => `Receiving objects:  ${i}% (${i}/100)`),
      'fatal: early EOF',
    ].join('\n')
    expect(shown([['git', 'clone', 'x']], '', 128, stderr).stderr).toBe(
      "Cloning into 'x'...\n[… 20 lines of git progress omitted]\nfatal: early EOF",
    )
  })

  it.each([
    [
      'a build',
      ['make', '-j4'],
      ['make[1]: Entering directory "x"', 'gcc -O2 -Wall -c -o parser.o parser.c', '  CC      lib/string.o'],
      'parser.c:3:5: warning: unused variable',
    ],
    [
      'a build by cargo',
      ['cargo', 'build'],
      ['   Compiling serde v1.0.1', '   Compiling anyhow v1.0.2'],
      '    Finished dev in 1s',
    ],
    [
      'a linter',
      ['npx', '--yes', 'prettier', '--write', '.'],
      ['src/a.ts 12ms (unchanged)', 'src/b/c.ts 3ms (unchanged)'],
      'src/d.ts 20ms',
    ],
    [
      'hooks run by hand',
      ['python3', '-m', 'pre-commit', 'run'],
      ['check yaml.....................Passed', 'trim trailing whitespace........Passed'],
      'black....................Failed',
    ],
    [
      'an installer',
      ['python', '-m', 'pip', 'install', 'x'],
      [
        'Collecting x',
        '  Downloading x-1.0-py3-none-any.whl (10 kB)',
        'Requirement already satisfied: six in /usr/lib',
      ],
      'Successfully installed x-1.0',
    ],
    [
      'a system installer',
      ['apt-get', 'install', '-y', 'x'],
      ['Reading package lists...', 'Get:1 mirror bookworm/main x 1.0 [10 kB]', 'Unpacking x (1.0) ...'],
      '0 upgraded, 1 newly installed, 0 to remove and 0 not upgraded.',
    ],
  ])('fold what %s repeats for every file or package, and keep what it found', (_, argv, noise, finding) => {
    const repeated = [...noise, ...noise, ...noise]
    const { stdout, filter } = shown([argv], [...repeated, finding, ''].join('\n'))
    expect(stdout).toMatch(new RegExp(`^\\[… ${repeated.length} lines of .* omitted\\]\\n`))
    expect(stdout).toContain(`\n${finding}\n`)
    expect(filter).toMatchObject({ keptLines: 1 })
  })

  it('recognise the program behind a wrapper', () => {
    const name = (...argv: string[]) => chooseFilter([argv])?.filter.name
    expect(name('uv', 'run', 'pytest', '-q')).toBe('test-run')
    expect(name('node', '--import', 'tsx', '--test')).toBe('test-run')
    expect(name('node', 'server.js')).toBeUndefined()
    expect(name('cargo', '--quiet', 'clippy')).toBe('linter')
    expect(name('cargo', 'run')).toBeUndefined()
    expect(name('pip', 'list')).toBeUndefined()
  })

  it('never touch a diff or a log', () => {
    expect(chooseFilter([['git', '-C', 'x', 'diff']])).toBeNull()
    expect(chooseFilter([['git', 'log']])).toBeNull()
  })

  it('fold generated directories in a listing unless they were asked for', () => {
    const output = Array.from({ length: 100 }, (_, i) => `./node_modules/a/${i}.js`).join('\n')
    expect(shown([['find', '.']], `./src/a.ts\n${output}\n`).stdout.split('\n')).toHaveLength(23)
    expect(shown([['find', './node_modules']], output).stdout).toBe(output)
  })

  it('are not used if more than one program can have printed', () => {
    expect(chooseFilter([['git', 'status'], ['head']])).toBeNull()
    expect(
      chooseFilter([
        ['cd', 'x'],
        ['/usr/bin/git', 'status'],
      ])?.filter.name,
    ).toBe('git')
    expect(chooseFilter([])).toBeNull()
  })

  it('are off when the caller says so', () => {
    const capture = createCapture(1000)
    capture.push('stdout', new TextEncoder().encode('hint: a\n'.repeat(9)))
    const result = present({
      command: { mode: 'shell', script: '' },
      argvs: [['git', 'commit']],
      captured: capture.finish(),
      exitCode: 0,
      ok: true,
      presentedChars: 50_000,
      filters: false,
    })
    expect(result).toMatchObject({ stdout: 'hint: a\n'.repeat(9), filter: null })
  })
})
