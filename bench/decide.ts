import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parse } from 'unbash'
import { analyse } from '../src/core/analyse/analyse.js'
import { decide } from '../src/core/decide/decide.js'
import { noAnswers } from '../src/core/model/facts.js'
import { createObserver } from '../src/host/observe/observer.js'
import { loadProfiles } from '../src/host/settings/profiles.js'
import { median } from './median.js'
import { OTHERS, USUAL } from './one-liners.js'

const lines = (from: readonly string[]): string =>
  Array.from({ length: 200 }, (_, i) => from[i % from.length]).join('\n')

/** µs per one-liner and per 200-line script: reading and deciding against a bare parse of the same text, interleaved. */
export async function decideBench(): Promise<Record<string, number>> {
  const { read, considered } = consideration()
  const [bare = 0, reading = 0, ours = 0] = compare(USUAL, [parse, read, considered], 1_500)
  const [bareOther = 0, readingOther = 0, oursOther = 0] = compare(OTHERS, [parse, read, considered], 1_500)
  const alone = oneByOne([...USUAL, ...OTHERS], parse, considered, 60)
  const [bareScript = 0, , script = 0] = compare([lines(USUAL)], [parse, read, considered], 60)
  const [bareMixed = 0, , mixed = 0] = compare([lines(OTHERS)], [parse, read, considered], 60)
  return {
    'one-liner: bare parse, µs': bare,
    'one-liner: read, µs': reading,
    'one-liner: read and decided, µs': ours,
    'one-liner, times a bare parse': ours / bare,
    'other one-liners: bare parse, µs': bareOther,
    'other one-liners: read, µs': readingOther,
    'other one-liners: read and decided, µs': oursOther,
    'other one-liners, times a bare parse': oursOther / bareOther,
    'each of all again and again, times a bare parse: median': median(alone),
    'each of all again and again, times a bare parse: mean': alone.reduce((sum, one) => sum + one, 0) / alone.length,
    '200 lines: bare parse, µs': bareScript,
    '200 lines: read and decided, µs': script,
    '200 lines, times a bare parse': script / bareScript,
    '200 other lines: bare parse, µs': bareMixed,
    '200 other lines: read and decided, µs': mixed,
    '200 other lines, times a bare parse': mixed / bareMixed,
  }
}

/** analyse and decide, with the host's answers left out on both sides: they are the file system's time, not ours. */
function consideration() {
  const cwd = process.cwd()
  const host = { workspace: cwd, home: homedir(), env: process.env }
  const builtinDir = fileURLToPath(new URL('../profiles', import.meta.url))
  const profile = loadProfiles({ ...host, builtinDir }).profileFor(null, 'developer')
  const surroundings = createObserver(host).surroundings(profile)
  const answers = noAnswers()
  const read = (script: string) => analyse({ mode: 'shell', script }, { cwd, home: host.home, env: [] }, answers).facts
  const considered = (script: string) =>
    decide({
      command: { mode: 'shell', script },
      text: script,
      facts: read(script),
      answers,
      profile,
      surroundings,
      cwd,
    })
  return { read, considered }
}

/**
 * Median µs per script of each act, after as many rounds that do not count: all of them are compiled then. The acts take turns, so that
 * a busy moment hurts all of them.
 */
function compare(scripts: readonly string[], acts: readonly ((script: string) => unknown)[], rounds: number) {
  const times = acts.map(() => [] as number[])
  for (let round = -rounds; round < rounds; round++) {
    for (const [i, act] of acts.entries()) {
      const took = timed(scripts, act)
      if (round >= 0) times[i]?.push(took)
    }
  }
  return times.map(median)
}

/** For each script by itself, how many times a bare parse it takes. */
function oneByOne(
  scripts: readonly string[],
  bare: (script: string) => unknown,
  act: (script: string) => unknown,
  rounds: number,
): readonly number[] {
  return scripts.map((script) => {
    const [parsing = 0, acting = 0] = compare(
      Array.from({ length: 10 }, () => script),
      [bare, act],
      rounds,
    )
    return acting / parsing
  })
}

function timed(scripts: readonly string[], act: (script: string) => unknown): number {
  const from = performance.now()
  for (const script of scripts) act(script)
  return ((performance.now() - from) * 1_000) / scripts.length
}
