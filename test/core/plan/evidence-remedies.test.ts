import { describe, expect, it } from 'vitest'
import { UNROUTED } from '../../../src/core/model/network-sets.js'
import { withRemedies } from '../../../src/core/plan/evidence-remedies.js'
import { factsOf, PROFILE, SURROUNDINGS, WORKSPACE } from '../decide/fixture.js'

const told = (command: string, lines: readonly string[], succeeded = false, hosts: readonly string[] = []) => {
  const facts = factsOf(command, { hosts: hosts.map((host) => ({ host, port: null, span: [0, 1], by: 'git' })) })
  return withRemedies(lines, { facts, profile: PROFILE, surroundings: SURROUNDINGS }, succeeded)
}

describe('evidence about the network', () => {
  it('ends with the command that allows a refused host', () => {
    expect(told('npm test', ['network: example.com:443 refused', 'network: [::2]:80 refused'])).toEqual([
      'network: example.com:443 refused; to allow: cordon allow host example.com:443 --profile test',
      'network: [::2]:80 refused; to allow: cordon allow host [::2]:80 --profile test',
    ])
  })

  it('names no command for a name that would need quotes, and leaves other lines alone', () => {
    const lines = ['network: a;b refused', 'network: `id` refused', 'network: a.test:1 failed']
    expect(told('x', lines)).toEqual(lines)
  })

  it('names the registry of a package manager, or the host on the line, where there is no network', () => {
    const to = (hosts: string, names: string) => [
      `network: the profile "test" has none, and the command tried to reach ${names}; to allow: cordon allow host ${hosts} --profile test`,
    ]
    expect(told('npm install x', [UNROUTED])).toEqual(to('registry.npmjs.org', 'registry.npmjs.org'))
    expect(told('python3 -m pip install x', [UNROUTED])).toEqual(
      to('pypi.org files.pythonhosted.org', 'pypi.org and files.pythonhosted.org'),
    )
    expect(told('git clone x', [UNROUTED], false, ['github.com', 'localhost'])).toEqual(to('github.com', 'github.com'))
    expect(told('make', [UNROUTED])[0]).toContain('to allow a host: cordon allow host NAME --profile test')
  })

  it('is silent about attempts of a command that succeeded and names no host', () => {
    expect(told('make', [UNROUTED], true)).toEqual([])
    expect(told('pip install x; tail -1', [UNROUTED], true)).toHaveLength(1)
  })

  it("says that a transaction makes git's settings writable, and why there was none", () => {
    const path = `${WORKSPACE}/.git/config`
    const surroundings = { ...SURROUNDINGS, reviewed: [path] }
    const toldWith = (mode: 'auto' | 'off') => {
      const profile = { ...PROFILE, transaction: { ...PROFILE.transaction, mode } }
      return withRemedies(
        [`write: ${path} read-only`],
        { facts: factsOf('git config a b'), profile, surroundings },
        false,
      )
    }
    expect(toldWith('off')).toEqual([
      `write: ${path} read-only; a transaction makes it writable, and transaction.mode of the profile "test" is "off"`,
    ])
    expect(toldWith('auto')).toEqual([
      `write: ${path} read-only; an overlay transaction makes it writable, and this command ran without one`,
    ])
  })

  it('names the command that makes a place writable, or the setting that closes it', () => {
    const lines = [
      'write: /srv/site/x read-only',
      'write: /etc/x read-only',
      `write: ${WORKSPACE}/.git/hooks/x read-only`,
    ]
    expect(
      told('touch', [...lines, 'write: /srv/a b/x read-only', 'read: /home/me/.ssh/id hidden', 'exec: sudo masked']),
    ).toEqual([
      'write: /srv/site/x read-only; to allow: cordon allow path /srv/site --profile test',
      'write: /etc/x read-only; outside paths.writable of the profile "test"',
      `write: ${WORKSPACE}/.git/hooks/x read-only; in paths.protected, or by a link outside paths.writable, of the profile "test"`,
      'write: /srv/a b/x read-only; outside paths.writable of the profile "test"',
      'read: /home/me/.ssh/id hidden; set by paths.hidden of the profile "test"',
      'exec: sudo masked; denied by a rule of the profile "test"',
    ])
  })
})
