import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { removeQuarantined } from '../../contract/quarantined-files.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const open = temporaryCordons()
const MS = 120_000
/** Longest time between two turns of the event loop, for other commands and timeouts. */
const LONGEST_TURN_MS = 200
/** The shortest there is. */
const TIMEOUT_MS = 1_000
/** After its timeout a command is over so soon. */
const SOON_MS = 1_000
const MODE_GITLINK = 0o160000

/** Longest time on the clock between two turns, on a machine of any load. Waiting for processes takes far longer. */
const LONGEST_WAIT_MS = 2_000

/**
 * Measures between two turns of the event loop: processor time, without other programs of a busy machine, and the
 * clock's.
 */
function longestTurn(): { stop(): readonly [ms: number, waitMs: number] } {
  let longest = 0
  let longestWait = 0
  let isOver = false
  let last = process.cpuUsage()
  let lastAt = performance.now()
  const turn = (): void => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
    longestWait = Math.max(longestWait, performance.now() - lastAt)
    lastAt = performance.now()
    if (!isOver) setTimeout(turn, 1)
  }
  turn()
  return {
    stop: () => {
      isOver = true
      return [longest, longestWait]
    },
  }
}

/** Builds an index of version 4: each name has all but the last bytes of the one before. */
function indexOf(names: readonly (readonly [removed: number, rest: string, length: number])[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\x04\0\0\0\0')
  head.writeUInt32BE(names.length, 8)
  const entries = names.map(([removed, rest, length]) => {
    const entry = Buffer.alloc(62)
    entry.writeUInt32BE(MODE_GITLINK, 24)
    entry.writeUInt16BE(Math.min(length, 0xfff), 60)
    return Buffer.concat([entry, Buffer.from([removed]), Buffer.from(`${rest}\0`)])
  })
  return Buffer.concat([head, ...entries])
}
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

const sixDigits = (number: number): string => `${number}`.padStart(6, '0')
const sixDigitIndex = (count: number): Buffer => indexOf(range(count).map((i) => [i === 0 ? 0 : 6, sixDigits(i), 6]))

const WRITE = 'echo > out'

/** A program that the analyser does not read, which repeats a line three hundred times. */
const perl =
  (line: string) =>
  (at: string): void =>
    writeFileSync(
      join(at, 'a.pl'),
      `sub put { open my $f, '>', $_[0]; print $f $_[1] } for (1..300) { ${line.replaceAll('\n', '\\n')} }`,
    )

/** Files that a command leaves in its workspace, or scripts that it runs. */
const ATTACKS: readonly (readonly [name: string, leave: (workspace: string) => void, script: string])[] = [
  [
    'an index of a hundred thousand repositories',
    (at) => writeFileSync(join(at, '.git/index'), sixDigitIndex(100_000)),
    WRITE,
  ],
  [
    'a configuration of five thousand includes',
    (at) =>
      writeFileSync(
        join(at, '.git/config'),
        `[include]\n${range(5_000)
          .map((i) => `path = ../x${i}\n`)
          .join('')}`,
      ),
    WRITE,
  ],
  [
    'two thousand worktrees',
    (at) => {
      for (const i of range(2_000)) mkdirSync(join(at, `.git/worktrees/w${i}`), { recursive: true })
    },
    WRITE,
  ],
  [
    'an index of eight hundred thousand entries',
    (at) => writeFileSync(join(at, '.git/index'), sixDigitIndex(800_000)),
    WRITE,
  ],
  [
    'four hundred repositories in the tree and the index',
    (at) => {
      for (const i of range(400)) mkdirSync(join(at, sixDigits(i), '.git'), { recursive: true })
      writeFileSync(join(at, '.git/index'), sixDigitIndex(400))
    },
    WRITE,
  ],
  [
    'a thousand repositories nine hundred directories deep',
    (at) => {
      const deep = 'd/'.repeat(900)
      mkdirSync(join(at, deep), { recursive: true })
      const names = range(1_000).map((i) => [i === 0 ? 0 : 6, `${i === 0 ? deep : ''}${sixDigits(i)}`, 1_806] as const)
      writeFileSync(join(at, '.git/index'), indexOf(names))
    },
    WRITE,
  ],
  [
    'four hundred submodules',
    (at) => {
      for (const i of range(400)) {
        mkdirSync(join(at, `.git/modules/m${i}`), { recursive: true })
        writeFileSync(join(at, `.git/modules/m${i}/HEAD`), '')
      }
    },
    WRITE,
  ],
  ['three thousand new files', () => undefined, 'for i in {1..3000}; do : > f$i; done'],
  [
    'three hundred `.git` files that lead elsewhere',
    perl('mkdir "d$_"; put("d$_/.git", "gitdir: /tmp/x\n")'),
    'perl a.pl',
  ],
  ['three hundred hooks', perl('put(".git/hooks/f$_", "")'), 'perl a.pl'],
  ['three hundred files of settings', perl('mkdir ".vscode"; put(".vscode/f$_", "x")'), 'perl a.pl'],
  [
    'three hundred repositories with a setting that runs a program',
    perl('mkdir "d$_"; mkdir "d$_/.git"; put("d$_/.git/config", "[core]\nfsmonitor=x\n")'),
    'perl a.pl',
  ],
  [
    'nine hundred directories, one in the other',
    (at) => writeFileSync(join(at, 'a.pl'), 'for (1..900) { mkdir "d"; chdir "d" }'),
    'perl a.pl',
  ],
  ['a flood of output', () => undefined, 'head -c 50000000 /dev/zero | tr "\\0" "\\n"'],
]

describe('while a command does its worst, others are served', () => {
  it.each(ATTACKS)(
    '%s',
    async (_, leave, script) => {
      const { cordon, workspace } = await open({ profile: 'workspace' })
      const { cordon: other } = await open({ profile: 'workspace' })
      execFileSync('git', ['init', '-q', workspace])
      await Promise.all([cordon.run('true'), other.run('true')])
      leave(workspace)
      const turns = longestTurn()
      const worst = cordon.run(script)
      const timing = other.run('sleep 60', { timeoutMs: TIMEOUT_MS })
      const [started, timed] = await Promise.all([other.run('echo started'), timing])
      const { exitCode, evidence } = await worst
      expect([started.stdout, timed.timedOut, exitCode]).toEqual(['started\n', true, 0])
      expect(timed.durationMs).toBeLessThan(TIMEOUT_MS + SOON_MS)
      const [ms, waitMs] = turns.stop()
      expect(ms).toBeLessThan(LONGEST_TURN_MS)
      expect(waitMs).toBeLessThan(LONGEST_WAIT_MS)
      await removeQuarantined(evidence)
    },
    MS,
  )
})
