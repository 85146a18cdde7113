import { detail, type Filter, type Noise, progress, proposeBy } from './filter.js'
import { launched, subcommand } from './subcommand.js'

const PASSING = detail('passing tests')

/** Shared with package managers, whose `test` script is one of these. */
export const proposeForTests: (line: string) => Noise | null = proposeBy([
  [/^\s*[✓✔√]\s/u, PASSING],
  [/^PASS\s+\S/, PASSING],
  [/^test \S+(?: - .*)? \.\.\. ok(?: <[\d.]+s>)?$/, PASSING],
  [/^\s*--- PASS: /, PASSING],
  [/^\S+::\S+(?: .*)? PASSED(?:\s+\[\s*\d+%\])?\s*$/, PASSING],
  [/^(?:\S+\.py )?[.sx]+\s+\[\s*\d+%\]$/, PASSING],
  [/^ok \d+ - (?!.*# (?:SKIP|TODO))/, PASSING],
  [/^=== (?:RUN|PAUSE|CONT) /, progress('tests started')],
  [/^\s+(?:Compiling|Fresh|Checking|Downloaded|Downloading) /, progress('build progress')],
  [/^go: downloading /, progress('download progress')],
])

const RUNNERS = new Set(['vitest', 'jest', 'mocha', 'ava', 'tap', 'pytest', 'py.test', 'tox', 'nextest', 'unittest'])
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['test', 'nextest', 't'],
  go: ['test'],
  deno: ['test'],
  bun: ['test'],
}

const SUMMARY =
  /^\s*(?:Test(?:s| Files| Suites)?:?\s+.*\d+ (?:passed|total)|test result: |ok\s+\S+\s+[\d.(]|=+ .*\d+ passed.* =+|# pass \d+|\d+ passing)/

export const testRuns: Filter = {
  name: 'test-run',
  matches: runsTests,
  propose: (lines) => lines.map(proposeForTests),
  recognises: (lines) => lines.some((line) => SUMMARY.test(line)),
}

function runsTests(argv: readonly string[]): boolean {
  const [program = '', ...args] = launched(argv)
  if (program === 'node') return args.includes('--test')
  return RUNNERS.has(program) || (SUBCOMMANDS[program]?.includes(subcommand(args)) ?? false)
}
