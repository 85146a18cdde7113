import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { printingArgvs } from '../../../src/core/present/printing-argvs.js'

const argvsOf = (script: string) => {
  const { facts } = analyse({ mode: 'shell', script }, { cwd: '/w', home: '/h', env: [] }, noAnswers())
  return printingArgvs(facts.invocations)
}

describe('the programs whose output is seen', () => {
  it('a program includes the programs it runs itself', () => {
    expect(argvsOf('npx vitest run')).toEqual([['npx', 'vitest', 'run']])
  })

  it('a wrapper without output is skipped for its command', () => {
    expect(argvsOf('timeout 60 npx vitest run')).toEqual([
      ['timeout', '60', 'npx', 'vitest', 'run'],
      ['npx', 'vitest', 'run'],
    ])
  })

  it('programs of one line are all seen', () => {
    expect(argvsOf('npm test && git status')).toEqual([
      ['npm', 'test'],
      ['git', 'status'],
    ])
  })
})
