import { describe, expect, it } from 'vitest'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { factsOf, hasUnknown, lines } from './facts-of.js'

const runs = (script: string): readonly string[] => lines(factsOf(script)).map((line) => line.replace(/^.*: /, ''))

describe('startup files of shells', () => {
  it.each([
    'echo victim > ~/.bashrc; bash -i',
    'echo victim > ~/.bashrc; bash -ic true',
    'echo victim > ~/.bashrc; bash -i -c true',
    'echo victim > ~/.bashrc; bash',
    'echo victim > ~/.bash_profile; bash -lc true',
    'echo victim > ~/.bash_login; bash -l -o pipefail -c true',
    'echo victim > ~/.profile; bash -o pipefail -l -c true',
    'echo victim > ~/.profile; bash --login -c true',
    'echo victim > ~/.profile; sh -lc true',
    'echo victim > ~/.bash_profile; exec -l bash -c true',
    'echo victim > ~/.bash_profile; exec -a -bash bash -c true',
    'HOME=$PWD; echo victim > .bashrc; bash -ic true',
    'mkdir h; echo victim > h/.bashrc; HOME=h bash -ic true',
    'echo victim > x; bash --rcfile x -i',
    'echo victim > x; bash --init-file=x -i',
    'echo victim > x; cp x ~/.bashrc; bash -ic true',
    'echo victim > x; ln -s "$PWD/x" ~/.bashrc; bash -ic true',
    'echo victim > x; ENV=./x sh -i',
    'echo victim > d/.zshenv; ZDOTDIR=d zsh -c true',
  ])('a startup file that the script wrote is run: %s', (script) => {
    expect(runs(script)).toContain('victim')
  })

  it.each(['HOME=$PWD/h bash -lc true', 'export HOME=/srv; bash -ic true', 'HOME=$(cat x) bash -lc true'])(
    'a startup file in a home that the script chose is unknown until it is read: %s',
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(true)
    },
  )

  it('startup files in a chosen home are analysed, missing ones are ignored', () => {
    const answers = noAnswers()
    for (const name of ['.bash_login', '.profile', '.bash_logout'])
      answers.paths.set(`/w/h/${name}`, { real: `/w/h/${name}`, kind: 'missing' })
    answers.scripts.set('/w/h/.bash_profile', 'victim\n')
    const facts = factsOf('HOME=$PWD/h bash -lc true', answers)
    expect(lines(facts).some((line) => line.endsWith('victim'))).toBe(true)
    expect(hasUnknown(facts)).toBe(false)
  })

  it.each(['bash -lc "npm test"', 'bash -c ls', 'sh -c ls', 'HOME=$PWD bash -c ls', 'bash -l -c "make"'])(
    "a startup file in the user's home is trusted: %s",
    (script) => {
      expect(hasUnknown(factsOf(script))).toBe(false)
    },
  )
})
