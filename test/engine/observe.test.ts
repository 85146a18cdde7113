import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ONE_LINERS } from '../../bench/one-liners.js'
import { pathQuestions } from '../../src/core/decide/decide.js'
import { remoteQuestions, withRemotes } from '../../src/core/decide/match/git-remotes.js'
import { type Answers, noAnswers, type Question } from '../../src/core/model/run/facts.js'
import { analyse } from '../../src/engine/stages/analyse.js'
import type { AnalysedRequest, NormalisedRequest } from '../../src/engine/stages/nouns.js'
import { observe } from '../../src/engine/stages/observe.js'
import { createObserver } from '../../src/host/observe/observer.js'
import { plainProfile } from '../contract/launcher-plan.js'

const workspace = mkdtempSync(join(tmpdir(), 'cordon-observe-'))
afterAll(() => rmSync(workspace, { recursive: true }))

const observer = createObserver({ workspace, home: workspace, env: process.env })
const profile = { ...plainProfile, paths: { ...plainProfile.paths, roots: ['{workspace}'] } }
const surroundings = observer.surroundings(profile)

function requestOf(script: string): NormalisedRequest {
  const command = { mode: 'shell', script } as const
  const asked = { id: 'x', at: 0, caller: 'library', agent: null, shown: script, isOpen: false } as const
  const request = {
    ...({ id: 'x', command, text: script, agent: null, caller: 'library', cwd: workspace } as const),
    ...{ timeoutMs: null, stdin: null, hasLiveStdin: false, env: [] },
  }
  return { ...asked, command, options: {}, profile, request, surroundings }
}

/** Analyses again after every round of answers, whether or not one of them was looked for. */
function observeAlways({ analyseWith }: AnalysedRequest): { readonly facts: unknown; readonly answers: Answers } {
  const answers = noAnswers()
  const ask = (questions: readonly Question[]): void => {
    const more = observer.answer(questions)
    for (const kind of ['paths', 'programs', 'scripts', 'syntax', 'remotes'] as const)
      for (const [key, value] of more[kind] ?? []) (answers[kind] as Map<string, unknown>).set(key, value)
  }
  let analysis = analyseWith(answers)
  for (let round = 0; round < 4 && analysis.questions.length > 0; round++) {
    ask(analysis.questions)
    analysis = analyseWith(answers)
  }
  ask([...pathQuestions(analysis.facts), ...remoteQuestions(analysis.facts, workspace)])
  return { facts: withRemotes(analysis.facts, answers, workspace), answers }
}

const entries = (answers: Answers, kind: keyof Answers): unknown => Object.fromEntries(answers[kind] ?? [])

/** Observes a script, and counts how often it is analysed. */
function observed(script: string) {
  const analysed = analyse(requestOf(script))
  let times = 1
  const analyseWith: AnalysedRequest['analyseWith'] = (answers) => {
    times++
    return analysed.analyseWith(answers)
  }
  return { ...observe({ ...analysed, analyseWith }, { observer }), times }
}

mkdirSync(join(workspace, 'src/deep'), { recursive: true })
symlinkSync('src', join(workspace, 'link'))
writeFileSync(join(workspace, 'leaf.sh'), 'rm -rf src\n')
writeFileSync(join(workspace, 'stem.sh'), '#!/bin/bash\ncd link && cd deep\nbash ../../leaf.sh\n', { mode: 0o755 })
writeFileSync(join(workspace, 'package.json'), '{"scripts":{"build":"tsc"}}')

const WITH_ANSWERS = [
  'bash leaf.sh',
  './stem.sh && ls',
  'source ./leaf.sh; echo done',
  'cd link/deep && touch x && rm -rf ../..',
  'CDPATH=.:src cd deep && ls',
  'cp leaf.sh copy.sh && bash copy.sh',
  'echo "rm -rf /" > made.sh; bash made.sh',
  'bash -l -c "echo hi"',
  'echo one\nif then\n',
  'psql -f leaf.sh',
  'bash missing.sh || echo gone',
]

describe('the observation of a request', () => {
  it.each([...ONE_LINERS, ...WITH_ANSWERS])('%s › gives the facts of an analysis after every answer', (script) => {
    const { facts, answers } = observed(script)
    const always = observeAlways(analyse(requestOf(script)))
    expect(facts).toEqual(always.facts)
    for (const kind of ['paths', 'scripts', 'syntax'] as const)
      expect(entries(answers, kind)).toEqual(entries(always.answers, kind))
  })

  it('gives the same facts where a command asks more than one round of questions holds', () => {
    const names = Array.from({ length: 300 }, (_, n) => `file-${n}`).join(' ')
    const script = `ls ${names}; bash leaf.sh`
    expect(observed(script).facts).toEqual(observeAlways(analyse(requestOf(script))).facts)
  })

  it('analyses a command once where no answer changes what it does', () => {
    const times = ['ls -la src', 'git status --short', 'npm test', 'grep -rn TODO src | head'].map(
      (script) => observed(script).times,
    )
    expect(times).toEqual([1, 1, 1, 1])
  })

  it('analyses a command again where a script was read', () => {
    const { facts, times } = observed('bash leaf.sh')
    expect(times).toBe(2)
    expect(facts.deletes.map(({ path }) => path)).toEqual([join(workspace, 'src')])
  })
})
