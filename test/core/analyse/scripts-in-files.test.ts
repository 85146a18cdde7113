import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { CONTEXT, factsOf, hasUnknown, lines } from './facts-of.js'

describe('scripts in files', () => {
  const withScript = (path: string, text: string | null) => ({ ...noAnswers(), scripts: new Map([[path, text]]) })

  it.each(['bash x.sh a', './x.sh a', 'source x.sh a', '. ./x.sh a', 'bash < x.sh', 'cat x.sh | bash'])(
    "%s asks for the script's text, then analyses it",
    (script) => {
      const asked = analyse({ mode: 'shell', script }, CONTEXT, noAnswers())
      expect(asked.questions).toContainEqual({ ask: 'script', path: '/w/x.sh' })
      const facts = factsOf(script, withScript('/w/x.sh', '#!/bin/bash\nrm -rf "${1:-a}"\n'))
      expect(facts.opaque).toEqual([])
      expect(lines(facts).at(-1)).toMatch(/: rm -rf a$/)
    },
  )

  it.each(['bash x.sh', './x.sh', 'source ./x.sh', 'bash < x.sh'])(
    'a script that may not have been overwritten is analysed with its old text too: %s',
    (run) => {
      const script = `[ -e no ] && echo ls > x.sh; ${run}`
      const asked = analyse({ mode: 'shell', script }, CONTEXT, noAnswers())
      expect(asked.questions).toContainEqual({ ask: 'script', path: '/w/x.sh' })
      const ran = lines(factsOf(script, withScript('/w/x.sh', 'rm -rf a\n'))).map((line) => line.replace(/^.*: /, ''))
      expect(ran).toContain('rm -rf a')
      expect(ran).toContain('ls')
    },
  )

  it('an unreadable script is unknown for a shell, and foreign as a program', () => {
    for (const script of ['bash x.sh', 'source x.sh'])
      expect(hasUnknown(factsOf(script, withScript('/w/x.sh', null)))).toBe(true)
    expect(factsOf('./tool', withScript('/w/tool', null)).opaque).toMatchObject([{ kind: 'foreign' }])
  })

  it('a script for another interpreter is foreign', () => {
    const facts = factsOf('./x', withScript('/w/x', '#!/usr/bin/env python3\nprint(1)\n'))
    expect(facts.opaque).toMatchObject([{ kind: 'foreign' }])
    expect(lines(facts)).toContain('./x: env: python3 ./x')
  })

  it('a script changed in ways that are not followed is unknown', () => {
    expect(hasUnknown(factsOf('echo ls > f; sed -i "1!G;h" f; sh f'))).toBe(true)
  })

  it.each(['sed -i s/ls/rm/ x.sh', 'sed -i.bak -e s/ls/rm/ x.sh', 'sed --in-place 1d x.sh'])(
    'a script that %s edits is unknown',
    (edit) => {
      expect(hasUnknown(factsOf(`${edit} && bash x.sh`, withScript('/w/x.sh', 'ls a\n')))).toBe(true)
    },
  )

  it('a script that calls itself is analysed once', () => {
    expect(lines(factsOf('./x.sh', withScript('/w/x.sh', 'ls; ./x.sh')))).toEqual([
      './x.sh',
      './x.sh: ls',
      './x.sh: ./x.sh',
    ])
  })
})
