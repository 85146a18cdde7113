import { describe, expect, it } from 'vitest'
import { BY_HAND } from '../../../src/core/model/policy/allow-command.js'
import type { Evidence } from '../../../src/core/model/run/evidence.js'
import { evidenceLines } from '../../../src/engine/evidence/remedies.js'
import { factsOf, PROFILE, SURROUNDINGS, WORKSPACE } from '../../core/decide/fixture.js'

const told = (
  command: string,
  evidence: readonly Evidence[],
  succeeded = false,
  hosts: readonly string[] = [],
  { profile = PROFILE, surroundings = SURROUNDINGS } = {},
) => {
  const facts = factsOf(command, { hosts: hosts.map((host) => ({ host, port: null, span: [0, 1], by: 'git' })) })
  return evidenceLines(evidence, { facts, profile, surroundings }, succeeded)
}
const UNROUTED: Evidence = { kind: 'no-network' }
const refused = (host: string, port: number | null = 443): Evidence => ({
  kind: 'host',
  host,
  port,
  outcome: 'refused',
})
const closed = (path: string, real?: string): Evidence => ({ kind: 'read-only', path, ...(real ? { real } : {}) })

/** Every kind of evidence, each with the remedy it ends with. A kind that is missing here does not compile. */
const TABLE: {
  readonly [K in Evidence['kind']]: readonly (readonly [Omit<Extract<Evidence, { kind: K }>, 'kind'>, string])[]
} = {
  host: [
    [{ host: 'example.com', port: 443, outcome: 'refused' }, 'cordon allow host example.com:443 --profile test'],
    [{ host: '::2', port: 80, outcome: 'refused' }, 'cordon allow host [::2]:80 --profile test'],
    [{ host: 'a;b', port: null, outcome: 'refused' }, BY_HAND],
    [{ host: 'a.test', port: 1, outcome: 'failed' }, 'the profile allows it, and it did not answer'],
  ],
  'no-network': [[{}, 'cordon allow host NAME --profile test']],
  'read-only': [
    [{ path: '/srv/site/x' }, 'cordon allow path /srv/site --profile test'],
    [{ path: '/srv/a b/x' }, "cordon allow path '/srv/a b' --profile test"],
    [{ path: '/etc/x' }, BY_HAND],
    [
      { path: `${WORKSPACE}/.git/hooks/x` },
      'leave the path out of `paths.protected` of [profiles.test] in ~/.config/cordon/cordon.toml.',
    ],
    [{ path: `${WORKSPACE}/link`, real: '/srv/site/x' }, 'cordon allow path /srv/site --profile test'],
  ],
  hidden: [
    [{ path: 'x', file: `${WORKSPACE}/.env` }, `to allow: cordon allow path ${WORKSPACE}/.env --read --profile test`],
    [{ path: '/home/me/.ssh/id' }, 'to allow: cordon allow path /home/me/.ssh/id --read --profile test'],
  ],
  unshared: [
    [{ path: '/tmp/remote.git' }, 'cordon allow path /tmp/remote.git --read --profile test'],
    [{ path: '/proc/1' }, BY_HAND],
  ],
  masked: [[{ program: 'su' }, 'to allow: cordon allow rule sudo --profile test']],
  protected: [
    [
      { path: `${WORKSPACE}/.git/hooks`, kept: '/tmp/x' },
      'leave the path out of `paths.protected` of [profiles.test] in ~/.config/cordon/cordon.toml.',
    ],
  ],
  'system-packages': [[{ program: 'apt-get' }, BY_HAND]],
  'host-service': [[{ program: 'docker', whose: "Docker's" }, BY_HAND]],
  'host-socket': [[{ path: '/tmp/s' }, 'close it on the host if no command may connect to it']],
  git: [[{ did: 'put back settings' }, BY_HAND]],
  unapproved: [[{ paths: ['/srv/site/x'], more: 2 }, 'cordon allow path /srv/site --profile test']],
  'no-transaction': [[{}, 'set `transaction.mode = "always"` in the profile "test"']],
  'left-running': [[{ processes: [{ pid: 3, command: 'node server.js' }], more: 2 }, 'use it in the same command']],
  'home-size': [[{ size: '1 GiB', limit: '1 MiB' }, 'run `cordon home reset`']],
}

describe('a refused host', () => {
  it("a refused host that the person's settings name as a registry is reported as one", () => {
    const surroundings = {
      ...SURROUNDINGS,
      registries: [{ tool: 'npm', file: '~/.npmrc', host: 'npm.example.com:8443' }],
    }
    const line = 'your ~/.npmrc names this host; to allow: cordon allow host'
    const lineOf = (host: string, port: number | null) =>
      told('x', [refused(host, port)], false, [], { surroundings })[0]
    expect(lineOf('npm.example.com', 8443)).toContain(`${line} npm.example.com:8443 --profile test`)
    expect(lineOf('npm.example.com', null)).toContain(`${line} npm.example.com --profile test`)
    expect(lineOf('npm.example.com', 443)).not.toContain('names this host')
  })
})

describe('remedies of evidence', () => {
  it.each(
    Object.entries(TABLE).flatMap(([kind, rows]) =>
      rows.map(([more, remedy]) => [kind, { kind, ...more } as Evidence, remedy] as const),
    ),
  )('evidence %s ends with the command that allows it, or reports that none does', (_, evidence, remedy) => {
    expect(told('x', [evidence])).toEqual([
      expect.stringMatching(new RegExp(`${remedy.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)),
    ])
  })
})

describe('evidence about processes left running', () => {
  it('names each with its pid and masks the secrets in its arguments', () => {
    const evidence = (more: number): Evidence => ({
      kind: 'left-running',
      processes: [{ pid: 12, command: 'server --password hunter2' }],
      more,
    })
    expect(told('x', [evidence(2)])[0]).toMatch(
      /^processes: ended with the command: server --password \*\*\* \(pid 12\) and 2 more; /,
    )
    expect(told('x', [evidence(0)])[0]).toContain('(pid 12); ')
  })

  it('leaves out short timers and services of tools', () => {
    const timer = (command: string): Evidence => ({ kind: 'left-running', processes: [{ pid: 3, command }], more: 0 })
    expect(told('x', [timer('sleep 3')])).toEqual([])
    expect(told('x', [timer('gpg-agent --homedir /h --daemon')])).toEqual([])
    expect(told('x', [timer('python3 -c from multiprocessing.resource_tracker import main;main(5)')])).toEqual([])
    expect(told('x', [timer('sleep 300')])).toHaveLength(1)
  })
})

describe('evidence about the network', () => {
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
    expect(told('make', [UNROUTED, refused('a.test')], true)).toHaveLength(1)
    expect(told('pip install x; tail -1', [UNROUTED], true)).toHaveLength(1)
  })
})

describe('evidence about writing', () => {
  it("says that a transaction makes git's settings writable, and why there was none", () => {
    const path = `${WORKSPACE}/.git/config`
    const surroundings = { ...SURROUNDINGS, reviewed: [path] }
    const toldWith = (mode: 'auto' | 'off') => {
      const profile = { ...PROFILE, transaction: { ...PROFILE.transaction, mode } }
      return told('git config a b', [closed(path)], false, [], { profile, surroundings })
    }
    expect(toldWith('off')).toEqual([
      `write: ${path} read-only; a transaction makes it writable, and transaction.mode of the profile "test" is "off"`,
    ])
    expect(toldWith('auto')).toEqual([
      `write: ${path} read-only; an overlay transaction makes it writable, and this command ran without one`,
    ])
  })

  it('names the profile that writes where this one only reads', () => {
    const profile = { ...PROFILE, paths: { ...PROFILE.paths, write: false } }
    expect(told('touch x', [closed(`${WORKSPACE}/x`)], false, [], { profile })).toEqual([
      `write: ${WORKSPACE}/x read-only; the profile "test" only reads; to write: run it with --profile workspace`,
    ])
  })
})

describe("evidence about Cordon's own records", () => {
  it("evidence about Cordon's state directory names no setting", () => {
    const surroundings = { ...SURROUNDINGS, state: '/state/cordon' }
    for (const kind of ['hidden', 'unshared'] as const)
      expect(told('x', [{ kind, path: '/state/cordon/audit.db' }], false, [], { surroundings })[0]).toMatch(
        /No setting allows this\. Cordon keeps its own records there\.$/,
      )
  })
})

describe('evidence about packages', () => {
  it('evidence about a global npm package names the install into the private home', () => {
    expect(told('npm link', [closed('/usr/lib/node_modules/app')])[0]).toContain(
      'npm install -g --prefix ~/.npm-global',
    )
  })

  it('evidence about a system package manager names no host', () => {
    const lines = told('apt-get install x', [{ kind: 'no-network' }, { kind: 'system-packages', program: 'apt-get' }])
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('apt-get changes system packages')
  })
})
