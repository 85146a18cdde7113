import { describe, expect, it } from 'vitest'
import { analyse } from '../../../src/core/analyse/analyse.js'
import { type Answers, noAnswers } from '../../../src/core/model/run/facts.js'
import { CONTEXT, factsOf, hasUnknown, lines } from './facts-of.js'

/** Returns the host's answers if bash runs `count` lines before a syntax error. */
const ranBefore = (script: string, count: number): Answers => ({ ...noAnswers(), syntax: new Map([[script, count]]) })

describe('a script with a syntax error', () => {
  it('a script with a syntax error is unknown until bash is asked', () => {
    const { facts, questions } = analyse({ mode: 'shell', script: 'if then' }, CONTEXT, noAnswers())
    expect(hasUnknown(facts)).toBe(true)
    expect(questions).toContainEqual({ ask: 'syntax', text: 'if then' })
  })

  it('a script that bash rejects before running anything is not unknown', () => {
    expect(hasUnknown(factsOf('if then', ranBefore('if then', 0)))).toBe(false)
  })

  it('a script that only our parser rejects stays unknown', () => {
    expect(hasUnknown(factsOf('if then', ranBefore('if then', -1)))).toBe(true)
  })

  it('the lines before a syntax error run', () => {
    const script = 'cd /tmp\nrm -rf "$PWD"/x\nif then'
    const facts = factsOf(script, ranBefore(script, 2))
    expect(lines(facts)).toContain('rm -rf /tmp/x')
    expect(hasUnknown(facts)).toBe(false)
  })

  it('a syntax error is unknown after a line with an unknown command', () => {
    const script = '"$(cat x)"\nif then'
    expect(hasUnknown(factsOf(script, ranBefore(script, 1)))).toBe(true)
  })

  it.each([
    'shopt -s expand_aliases\nalias q="if :; then"\nq rm -rf /; fi',
    'shopt -s extglob\nif then',
    'eval "$(cat x)"\nif then',
    'BASH_ALIASES[q]="if :; then"\nq rm -rf /; fi',
    'set -o posix\nif then',
  ])('a syntax error is unknown after a line that changes parsing: %j', (script) => {
    expect(hasUnknown(factsOf(script, ranBefore(script, script.split('\n').length - 1)))).toBe(true)
  })
})

it.each(['shopt -s extglob', 'alias q=ls', null])(
  'a syntax error is unknown after a script that can change parsing: %j',
  (text) => {
    const script = '. ./x.sh\nif then'
    const answers = { ...ranBefore(script, 1), scripts: new Map([['/w/x.sh', text]]) }
    expect(hasUnknown(factsOf(script, answers))).toBe(true)
  },
)

describe('a syntax error in text for another shell', () => {
  const scripts = (files: Readonly<Record<string, string>>): Answers['scripts'] => new Map(Object.entries(files))
  const refused = (asked: string, count: number, files: Readonly<Record<string, string>> = {}): Answers => ({
    ...noAnswers(),
    scripts: scripts(files),
    syntax: new Map([[asked, count]]),
  })
  const TEXT = 'echo a\nif then'

  it.each([
    ["bash -c 'echo a\nif then'", TEXT],
    ["sh -c 'echo a\nif then'", `sh\0${TEXT}`],
    ["eval 'echo a\nif then'", TEXT],
    ["bash -euo pipefail -c 'echo a\nif then'", TEXT],
    ["printf 'echo a\\nif then' | bash", TEXT],
    ["env A=1 bash -c 'echo a\nif then'", TEXT],
  ])('the shell is asked about a syntax error in its text: %j', (script, asked) => {
    expect(analyse({ mode: 'shell', script }, CONTEXT, noAnswers()).questions).toContainEqual({
      ask: 'syntax',
      text: asked,
    })
    const facts = factsOf(script, refused(asked, 1))
    expect(hasUnknown(facts)).toBe(false)
    expect(lines(facts).some((line) => line.endsWith('echo a'))).toBe(true)
    expect(hasUnknown(factsOf(script, refused(asked, -1)))).toBe(true)
  })

  it.each([
    ['bash x.sh', TEXT, TEXT],
    ['sh x.sh', TEXT, `sh\0${TEXT}`],
    ['source x.sh', TEXT, TEXT],
    ['. ./x.sh', TEXT, TEXT],
    ['cd /w && bash x.sh && echo done', TEXT, TEXT],
    ['./x.sh', TEXT, TEXT],
    ['./x.sh', `#!/bin/bash\n${TEXT}`, `#!/bin/bash\n${TEXT}`],
    ['./x.sh', `#!/usr/bin/env bash\n${TEXT}`, `#!/usr/bin/env bash\n${TEXT}`],
    ['./x.sh', `#!/bin/sh\n${TEXT}`, `sh\0#!/bin/sh\n${TEXT}`],
  ])('the shell is asked about a syntax error in a script file: %s, %j', (script, text, asked) => {
    expect(hasUnknown(factsOf(script, refused(asked, 1, { '/w/x.sh': text })))).toBe(false)
    expect(hasUnknown(factsOf(script, refused(asked, -1, { '/w/x.sh': text })))).toBe(true)
  })

  it('commands after a script with a syntax error run', () => {
    expect(lines(factsOf("eval 'if then'\nrm -rf /x", refused('if then', 0)))).toContain('rm -rf /x')
    expect(lines(factsOf("bash -c 'if then' || rm -rf /x", refused('if then', 0)))).toContain('rm -rf /x')
    expect(lines(factsOf("eval 'if then' && rm -rf /x", refused('if then', 0)))).toContain('rm -rf /x')
  })

  it.each([
    "shopt -s extglob\neval 'if then'",
    "shopt -s extglob; bash -c 'if then'",
    "set -o posix; eval 'if then'",
    "alias q=ls; eval 'if then'",
    "s=sho; ${s}pt -s extglob\neval 'if then'",
    "bash -O extglob -c 'if then'",
    "bash +O extglob -c 'if then'",
    "bash -ic 'if then'",
    "bash -o posix -c 'if then'",
    "bash --posix -c 'if then'",
    "bash $(cat o) -c 'if then'",
    "export BASHOPTS=extglob; bash -c 'if then'",
    "BASHOPTS=extglob bash -c 'if then'",
    "env SHELLOPTS=posix bash -c 'if then'",
    "POSIXLY_CORRECT=1 bash -c 'if then'",
    "zsh -c 'if then'",
    "dash -c 'if then'",
    "ssh host 'if then'",
    "trap 'if then' EXIT",
    "BASH_ALIASES[x]=y; eval 'if then'",
    'eval "$(cat x)"; eval \'if then\'',
    "for i in 1 2; do eval 'if then'; shopt -s extglob; done",
    "f() { eval 'if then'; }; f; shopt -s extglob; f",
  ])('a syntax error is unknown if the shell can parse the text differently: %s', (script) => {
    for (const asked of ['if then', 'sh\0if then']) expect(hasUnknown(factsOf(script, refused(asked, 0)))).toBe(true)
  })

  it('a syntax error in a script for another shell stays unknown', () => {
    const files = { '/w/x.sh': '#!/bin/dash\nif then' }
    expect(hasUnknown(factsOf('./x.sh', refused(files['/w/x.sh'], 1, files)))).toBe(true)
    const lib = { '/w/a/x.sh': '#!/bin/sh\n. b/x.sh', '/w/b/x.sh': '#!/bin/bash\nif then' }
    expect(hasUnknown(factsOf('a/x.sh', refused(lib['/w/b/x.sh'], 1, lib)))).toBe(true)
  })
})

describe('a missing script file', () => {
  const missing = (path: string): Answers => ({
    ...noAnswers(),
    paths: new Map([[path, { real: path, kind: 'missing' as const }]]),
    scripts: new Map([[path, null]]),
  })

  it.each(['bash x.sh', 'sh ./x.sh', '. ./x.sh', 'source x.sh', './x.sh', 'cat a; bash x.sh'])(
    'a missing script runs nothing and is not unknown: %s',
    (script) => {
      expect(factsOf(script, missing('/w/x.sh')).opaque.filter(({ inherent }) => !inherent)).toEqual([])
    },
  )

  it.each(['make; bash x.sh', 'git clone a . && . ./x.sh', 'cp -r a/. . && bash x.sh', 'tar xf a && bash x.sh'])(
    'a missing script is unknown if an earlier program can have created it: %s',
    (script) => {
      expect(hasUnknown(factsOf(script, missing('/w/x.sh')))).toBe(true)
    },
  )

  it('an existing, unreadable script is unknown', () => {
    const answers = missing('/w/x.sh')
    answers.paths.set('/w/x.sh', { real: '/w/x.sh', kind: 'file' })
    expect(hasUnknown(factsOf('bash x.sh', answers))).toBe(true)
  })
})

describe('a shell without a script', () => {
  it.each(['bash', 'sh', 'ls; bash', 'cat | bash'])('a shell without input ends at once: %s', (script) => {
    expect(hasUnknown(factsOf(script, noAnswers(), { ...CONTEXT, stdin: '' }))).toBe(false)
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it("a shell without a script runs the request's standard input", () => {
    expect(lines(factsOf('bash', noAnswers(), { ...CONTEXT, stdin: 'rm -rf /\n' }))).toContain('bash: rm -rf /')
  })
})

describe('a missing directory', () => {
  const missing: Answers = { ...noAnswers(), paths: new Map([['/w/x', { real: '/w/x', kind: 'missing' as const }]]) }
  const written = (script: string) => factsOf(script, missing).writes.map(({ path }) => path)

  it.each([
    'mkdir -p x && cd x && echo > ../f',
    'git clone https://h/x && cd x && echo > ../f',
    'npm create vite x; cd x && echo > ../f',
    'tar xf x.tgz && cd x && echo > ../f',
    'cp -r a x && cd x && echo > ../f',
  ])('cd to a missing directory succeeds if an earlier program can have created it: %s', (script) => {
    expect(written(script)).toContain('/w/f')
    expect(written(script)).not.toContain('/f')
  })

  it('cd to a missing directory fails if nothing can have created it', () => {
    expect(written('cd x; echo > ../f')).toEqual(['/f'])
  })
})
