import { describe, expect, it } from 'vitest'
import { unsharedPaths } from '../../../src/engine/evidence/unshared-paths.js'
import { factsOf } from '../../core/decide/fixture.js'

const ON_HOST = new Set(['/tmp/remote.git', '/work/other', '/home/u/x', '/both'])
const told = (command: string, errors = '') =>
  unsharedPaths({ facts: factsOf(command), cwd: '/work/here', errors }, (path, view) =>
    view === 'host' ? ON_HOST.has(path) : path === '/both',
  ).map((one) => (one.kind === 'unshared' ? one.path : one.kind))

describe('paths of the host that a failed command names and does not see', () => {
  it.each([
    [
      "an error message's",
      'git fetch',
      "fatal: '/tmp/remote.git' does not appear to be a git repository",
      '/tmp/remote.git',
    ],
    ['an absolute argument', 'git fetch /tmp/remote.git', '', '/tmp/remote.git'],
    ['a relative argument above the directory', 'git fetch ../other', '', '/work/other'],
    ['one of an error with a reason behind it', 'x', 'cat: /home/u/x: No such file or directory', '/home/u/x'],
  ])('an unshared path is found in the error message: %s', (_, command, errors, path) => {
    expect(told(command, errors)).toEqual([path])
  })

  it('are none that commands see, that are nowhere, or that are part of an address', () => {
    expect(told('x /both /nowhere', 'see https://a.test/tmp/remote.git or ./tmp/remote.git')).toEqual([])
  })
})
