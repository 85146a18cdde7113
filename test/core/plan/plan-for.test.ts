import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CordonError } from '../../../src/core/model/basics/errors.js'
import type { Capabilities } from '../../../src/core/model/policy/plan.js'
import { Plan } from '../../../src/core/model/policy/plan.js'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import type { Request } from '../../../src/core/model/run/request.js'
import type { HostContext } from '../../../src/core/model/run/surroundings.js'
import { canonicalJson } from '../../../src/core/plan/canonical.js'
import { planFor } from '../../../src/core/plan/plan-for.js'
import { plainProfile } from '../../contract/launcher-plan.js'
import { fc } from '../../property.js'

const request: Request = {
  id: 'r1',
  command: { mode: 'shell', script: 'echo hi' },
  text: 'echo hi',
  agent: null,
  caller: 'library',
  cwd: '/w/sub',
  timeoutMs: 120_000,
  stdin: null,
  hasLiveStdin: false,
  env: [],
}
const surroundings: HostContext = {
  workspace: '/w',
  home: '/home/me',
  roots: ['/w'],
  writable: [],
  hidden: [],
  protected: [],
  env: [
    ['PATH', '/bin'],
    ['API_TOKEN', 'secret'],
  ],
  bash: '/bin/bash',
}
const capabilities: Capabilities = { sandbox: 'bubblewrap', version: '0.8.0', path: '/usr/bin/bwrap' }
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const input = { request, profile: plainProfile, surroundings, capabilities, writesAnything: true, sha256 }
const envOf = (over: Partial<typeof input>) => Object.fromEntries(planFor({ ...input, ...over }).env)
const environment = (over: Partial<typeof plainProfile.environment>) => ({
  ...plainProfile,
  environment: { ...plainProfile.environment, ...over },
})

describe('the plan', () => {
  it('fits its schema, and runs a script with bash and a program directly', () => {
    const shell = planFor(input)
    expect(Plan.parse(shell)).toEqual(shell)
    expect(shell.argv).toEqual(['/bin/bash', '-c', 'echo hi'])
    const command = { mode: 'structured', program: 'printf', args: ['; rm -rf /'] } as const
    expect(planFor({ ...input, request: { ...request, command } }).argv).toEqual(['printf', '; rm -rf /'])
  })

  it('has the same digest for the same request and another one when any field differs', () => {
    const digest = planFor(input).digest
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(planFor({ ...input, request: structuredClone(request) }).digest).toBe(digest)
    const others = [
      planFor({ ...input, request: { ...request, cwd: '/w' } }),
      planFor({ ...input, request: { ...request, agent: 'a' } }),
      planFor({ ...input, request: { ...request, stdin: '' } }),
      planFor({ ...input, request: { ...request, env: [['A', 'b']] } }),
      planFor({ ...input, request: { ...request, timeoutMs: 1 } }),
      planFor({ ...input, request: { ...request, command: { mode: 'shell', script: 'echo hi ' } } }),
      planFor({ ...input, profile: { ...plainProfile, network: 'full' } }),
      planFor({ ...input, profile: { ...plainProfile, summary: 'another policy text' } }),
    ].map((plan) => plan.digest)
    expect(new Set([digest, ...others]).size).toBe(others.length + 1)
  })

  it('digests values, not the order of their keys', () => {
    const shuffled = (value: Record<string, number>, keys: readonly string[]) =>
      Object.fromEntries(keys.map((key) => [key, value[key]]))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
        const keys = Object.keys(value).reverse()
        expect(canonicalJson(shuffled(value, keys))).toBe(canonicalJson(value))
      }),
    )
  })

  it('secures the files only of a command that can write, when the profile leaves it to us', () => {
    const auto = { ...plainProfile, transaction: { ...plainProfile.transaction, mode: 'auto' as const } }
    expect(planFor({ ...input, profile: auto, writesAnything: false }).transaction).toBe('off')
    expect(planFor({ ...input, profile: auto, writesAnything: true }).transaction).toBe('auto')
  })

  it('fails with the cause and the fix if the profile requires a sandbox and the host has none', () => {
    const none: Capabilities = { sandbox: 'none', cause: 'bubblewrap is not installed', fix: 'Install it.' }
    const refusal = () => planFor({ ...input, capabilities: none })
    expect(refusal).toThrow(CordonError)
    expect(refusal).toThrow(/bubblewrap is not installed\. Install it\./)
    expect(planFor({ ...input, capabilities: none, profile: { ...plainProfile, sandbox: 'off' } }).sandbox).toEqual({
      kind: 'none',
    })
  })
})

const NO_RETRIES = {
  BUNDLE_RETRY: '0',
  CARGO_NET_RETRY: '0',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_RETRIES: '0',
  POETRY_REQUESTS_MAX_RETRIES: '0',
  UV_HTTP_RETRIES: '0',
  YARN_HTTP_RETRY: '0',
  npm_config_fetch_retries: '0',
  npm_config_update_notifier: 'false',
}

describe('the network of a plan', () => {
  const networkOf = (network: Profile['network'], hosts: readonly string[] = []) => {
    const lifted = { paths: [], reads: [], writes: [], hosts, settings: [] }
    const { sandbox } = planFor({ ...input, profile: { ...plainProfile, network }, lifted })
    return sandbox.kind === 'none' ? null : sandbox.network
  }

  it('holds the hosts of the sets, and those that an approval opens', () => {
    expect(networkOf({ hosts: ['a.test'], sets: ['go'], unlisted: 'ask' }, ['b.test:80'])).toEqual({
      hosts: ['a.test', 'proxy.golang.org:443', 'sum.golang.org:443', 'b.test:80'],
    })
    expect([networkOf('none'), networkOf('full')]).toEqual(['none', 'full'])
  })
})

describe('the environment of a plan', () => {
  it('holds what is listed and nothing of the parent besides', () => {
    expect(envOf({})).toEqual({
      ...NO_RETRIES,
      HOME: '/w',
      PATH: '/bin',
      PWD: '/w/sub',
      SHELL: '/bin/bash',
      TERM: 'dumb',
      TMPDIR: '/tmp',
    })
  })

  it('without a network, package managers fail at once unless the profile or the request overrides it', () => {
    const full = { ...plainProfile, network: 'full' as const }
    expect(envOf({ profile: full })).not.toHaveProperty('PIP_RETRIES')
    expect(envOf({ profile: { ...plainProfile, sandbox: 'off' } })).not.toHaveProperty('PIP_RETRIES')
    expect(envOf({ profile: environment({ set: [['PIP_RETRIES', '7']] }) })).toMatchObject({ PIP_RETRIES: '7' })
  })

  it('passes what the profile names, by name or prefix, and strips what it strips', () => {
    const host: HostContext = {
      ...surroundings,
      env: [
        ['CARGO_HOME', '1'],
        ['CARGO_TOKEN', '2'],
        ['LANG', 'C'],
        ['OTHER', '3'],
      ],
    }
    const seen = envOf({ surroundings: host, profile: environment({ pass: ['CARGO_*'], strip: ['CARGO_TOK'] }) })
    expect(seen).toMatchObject({ CARGO_HOME: '1', LANG: 'C' })
    expect(Object.keys(seen)).not.toContain('CARGO_TOKEN')
    expect(Object.keys(seen)).not.toContain('OTHER')
  })

  it('lets the profile override Cordon and the request override both, but not the directory', () => {
    const profile = environment({
      set: [
        ['TERM', 'xterm'],
        ['A', 'profile'],
      ],
      home: 'real',
    })
    const seen = envOf({
      profile,
      request: {
        ...request,
        env: [
          ['A', 'request'],
          ['PWD', '/elsewhere'],
        ],
      },
    })
    expect(seen).toMatchObject({ HOME: '/home/me', TERM: 'xterm', A: 'request', PWD: '/w/sub' })
  })
})
