import { type DecideInput, decide } from '../../../src/core/decide/decide.js'
import type { Decision } from '../../../src/core/model/policy/decision.js'
import type { Profile, Rule } from '../../../src/core/model/policy/profile.js'
import { type Facts, type Invocation, noAnswers, type PathFact } from '../../../src/core/model/run/facts.js'
import type { Command } from '../../../src/core/model/run/request.js'
import type { HostContext } from '../../../src/core/model/run/surroundings.js'

export const WORKSPACE = '/work/app'
export const HOME = '/home/me'

/** A walled profile that allows what no rule names. */
export const PROFILE: Profile = {
  name: 'test',
  summary: 'for tests',
  modes: ['shell', 'structured'],
  sandbox: 'required',
  network: 'none',
  programs: { allowOnly: null, paths: true },
  plainArguments: false,
  builtins: { removed: [] },
  rules: [],
  opaque: { unknown: 'ask', foreign: 'allow' },
  default: 'allow',
  paths: {
    roots: ['.'],
    writable: ['~/.cache'],
    readable: [],
    hidden: ['~/.ssh', '.env', '/etc/shadow'],
    protected: ['.git/hooks', 'cordon.toml', '~/.bashrc'],
    write: true,
    readOutside: 'allow',
    writeOutside: 'ask',
  },
  environment: { pass: ['PATH'], set: [], strip: [], home: 'real', shared: [], homeBytes: null },
  timeouts: { structuredMs: 30_000, shellMs: 120_000, maxMs: 600_000, noneAllowed: false, graceMs: 2_000 },
  output: { captureBytes: 1_000_000, presentedChars: 50_000 },
  limits: { memoryBytes: null, processes: null, cpuSeconds: null, fileBytes: null, openFiles: null, diskBytes: null },
  transaction: {
    mode: 'auto',
    onFailure: 'restore',
    rollbackCodes: null,
    scope: ['**'],
    maxBytes: 1_000_000,
    required: false,
  },
  concurrency: { perAgent: 4 },
  approvals: { waitMs: 86_400_000, runMs: 600_000 },
  agentPrograms: null,
}

export const SURROUNDINGS: HostContext = {
  workspace: WORKSPACE,
  home: HOME,
  roots: [WORKSPACE],
  writable: [`${HOME}/.cache`],
  hidden: [],
  protected: [],
  env: [],
  bash: '/bin/bash',
}

export const rule = (over: Partial<Rule>): Rule => ({
  id: 'rules/1',
  program: null,
  args: [],
  action: null,
  verdict: 'deny',
  because: 'Because.',
  instead: null,
  hits: [],
  misses: [],
  ...over,
})

/** `a b; c`: one invocation per part, its span where it stands. No quoting. */
export function parts(text: string): Invocation[] {
  let from = 0
  return text.split('; ').map((part) => {
    const span = [from, from + part.length] as const
    from += part.length + 2
    const argv = part.split(' ')
    return { program: argv[0]?.split('/').at(-1) ?? null, argv, span, via: [] }
  })
}

export const path = (path: string, by: string, more: Partial<PathFact> = {}): PathFact => ({
  path,
  by,
  span: [0, 1],
  ...more,
})

export const factsOf = (text: string, over: Partial<Facts> = {}): Facts => ({
  invocations: parts(text),
  reads: [],
  writes: [],
  deletes: [],
  hosts: [],
  environment: [],
  shapes: [],
  writesAnything: false,
  opaque: [],
  ...over,
})

export interface Setting extends Partial<Omit<DecideInput, 'facts' | 'profile'>> {
  readonly facts?: Partial<Facts>
  readonly profile?: Partial<Profile>
}

export function inputFor(text: string, { facts, profile, ...rest }: Setting = {}): DecideInput {
  const command: Command = { mode: 'shell', script: text }
  return {
    command,
    text,
    facts: factsOf(text, facts),
    answers: noAnswers(),
    profile: { ...PROFILE, ...profile },
    surroundings: SURROUNDINGS,
    cwd: WORKSPACE,
    ...rest,
  }
}

export const decided = (text: string, setting?: Setting): Decision => decide(inputFor(text, setting))
export const structured = (program: string, ...args: string[]): Command => ({ mode: 'structured', program, args })
