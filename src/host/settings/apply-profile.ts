import { permissionRule } from '../../core/decide/authoring/permission-syntax.js'
import { escapeGlob } from '../../core/decide/match/glob.js'
import type { ProfileNetwork } from '../../core/model/policy/network-sets.js'
import type { Profile, Rule } from '../../core/model/policy/profile.js'
import type { PermissionSettings, ProfileSettings, RuleSettings } from '../../core/model/policy/profile-settings.js'

/** Refuses everything: what a profile does not say stays as strict as this. */
export const NOTHING: Profile = {
  name: 'nothing',
  summary: '',
  modes: [],
  sandbox: 'required',
  network: 'none',
  programs: { allowOnly: [], paths: false },
  plainArguments: true,
  builtins: { removed: [] },
  rules: [],
  opaque: { unknown: 'deny', foreign: 'deny' },
  default: 'deny',
  paths: {
    roots: [],
    writable: [],
    readable: [],
    hidden: [],
    protected: [],
    write: false,
    readOutside: 'deny',
    writeOutside: 'deny',
  },
  environment: { pass: [], set: [], strip: [], home: 'private', shared: [], homeBytes: 1 },
  timeouts: { structuredMs: 1_000, shellMs: 1_000, maxMs: 1_000, noneAllowed: false, graceMs: 0 },
  output: { captureBytes: 1, presentedChars: 1 },
  limits: { memoryBytes: 1, processes: 1, cpuSeconds: 1, fileBytes: 1, openFiles: 1, diskBytes: 1 },
  transaction: { mode: 'always', onFailure: 'restore', rollbackCodes: null, scope: [], maxBytes: 1, required: true },
  concurrency: { perAgent: 1 },
  approvals: { waitMs: 1, runMs: 1 },
  agentPrograms: null,
}

function inherit<T extends string>(list: readonly (T | '...')[] | undefined, base: readonly T[]): readonly T[] {
  return list === undefined ? base : [...new Set(list.flatMap((entry) => (entry === '...' ? base : [entry as T])))]
}

/** As `inherit`. An entry with a leading `!` removes its path from the inherited ones. */
function inheritPlaces(list: readonly string[] | undefined, base: readonly string[]): readonly string[] {
  const places = new Set<string>()
  for (const entry of inherit(list, base)) {
    if (entry.startsWith('!')) places.delete(entry.slice(1))
    else places.add(entry)
  }
  return [...places]
}

const orNull = (value: number | 'none' | undefined, base: number | null): number | null =>
  value === undefined ? base : value === 'none' ? null : value

function networkOf(settings: ProfileSettings['network'], base: ProfileNetwork): ProfileNetwork {
  if (settings === undefined || typeof settings === 'string') return settings ?? base
  const below = typeof base === 'string' ? { hosts: [] } : base
  const sets = inherit(settings.sets, below.sets ?? [])
  const unlisted = settings.unlisted ?? below.unlisted
  return {
    hosts: inherit(settings.hosts, below.hosts),
    ...(sets.length > 0 ? { sets } : {}),
    ...(unlisted === undefined ? {} : { unlisted }),
  }
}

const toRule = (rule: RuleSettings, index: number): Rule => ({
  id: rule.id ?? `rules/${index + 1}`,
  program: rule.program === undefined ? null : [rule.program].flat(),
  args: rule.args ?? [],
  action: rule.action ?? null,
  verdict: rule.verdict,
  because: rule.because,
  instead: rule.instead ?? null,
  hits: rule.hits ?? [],
  misses: rule.misses ?? [],
})

export function permissionRules(lists: PermissionSettings | undefined): readonly Rule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap((verdict) =>
    (lists?.[verdict] ?? []).map((entry) => permissionRule(entry, verdict, `permissions/${verdict}/${entry}`)),
  )
}

const confirmRules = (texts: readonly string[] = []): readonly Rule[] =>
  texts.map((text) => ({
    id: `confirm/${text}`,
    program: null,
    args: [],
    action: `tool:*:*${escapeGlob(text)}*`,
    verdict: 'ask',
    because: `The command contains ${JSON.stringify(text)}, which needs approval.`,
    instead: null,
    hits: [],
    misses: [],
  }))

function rulesOf(settings: ProfileSettings, base: readonly Rule[]): readonly Rule[] {
  const own = (settings.rules ?? []).map((rule, i) => toRule(rule, base.length + i))
  return [...base, ...own, ...permissionRules(settings.permissions), ...confirmRules(settings.confirm)]
}

function pathsOf(settings: ProfileSettings['paths'], base: Profile['paths']): Profile['paths'] {
  return {
    roots: inherit(settings?.roots, base.roots),
    writable: inherit(settings?.writable, base.writable),
    readable: inherit(settings?.readable, base.readable),
    hidden: inherit(settings?.hidden, base.hidden),
    protected: inheritPlaces(settings?.protected, base.protected),
    write: settings?.write ?? base.write,
    readOutside: settings?.read_outside ?? base.readOutside,
    writeOutside: settings?.write_outside ?? base.writeOutside,
  }
}

function environmentOf(
  { environment: settings, limits }: ProfileSettings,
  base: Profile['environment'],
): Profile['environment'] {
  const set = new Map(base.set)
  for (const [name, value] of Object.entries(settings?.set ?? {})) set.set(name, value)
  return {
    pass: inherit(settings?.pass, base.pass),
    set: [...set],
    strip: inherit(settings?.strip, base.strip),
    home: settings?.home ?? base.home,
    shared: inherit(settings?.shared, base.shared),
    homeBytes: orNull(limits?.home_bytes, base.homeBytes),
  }
}

function transactionOf(settings: ProfileSettings['transaction'], base: Profile['transaction']): Profile['transaction'] {
  const codes = settings?.rollback_codes
  return {
    mode: settings?.mode ?? base.mode,
    onFailure: settings?.on_failure ?? base.onFailure,
    rollbackCodes: codes === undefined ? base.rollbackCodes : codes === 'default' ? null : codes,
    scope: inherit(settings?.scope, base.scope),
    maxBytes: settings?.max_bytes ?? base.maxBytes,
    required: settings?.required ?? base.required,
  }
}

function limitsOf(settings: ProfileSettings['limits'], base: Profile['limits']): Profile['limits'] {
  return {
    memoryBytes: orNull(settings?.memory_bytes, base.memoryBytes),
    processes: orNull(settings?.processes, base.processes),
    cpuSeconds: orNull(settings?.cpu_seconds, base.cpuSeconds),
    fileBytes: orNull(settings?.file_bytes, base.fileBytes),
    openFiles: orNull(settings?.open_files, base.openFiles),
    diskBytes: orNull(settings?.disk_bytes, base.diskBytes),
  }
}

function timeoutsOf(settings: ProfileSettings['timeouts'], base: Profile['timeouts']): Profile['timeouts'] {
  return {
    structuredMs: settings?.structured_ms ?? base.structuredMs,
    shellMs: settings?.shell_ms ?? base.shellMs,
    maxMs: settings?.max_ms ?? base.maxMs,
    noneAllowed: settings?.none_allowed ?? base.noneAllowed,
    graceMs: settings?.grace_ms ?? base.graceMs,
  }
}

function programsOf(settings: ProfileSettings['programs'], base: Profile['programs']): Profile['programs'] {
  const only = settings?.allow_only
  return {
    allowOnly: only === undefined ? base.allowOnly : only === 'any' ? null : inherit(only, base.allowOnly ?? []),
    paths: settings?.paths ?? base.paths,
  }
}

/** The base with what the settings say differently. */
export function applyProfile(base: Profile, name: string, settings: ProfileSettings): Profile {
  return {
    name,
    summary: settings.summary ?? base.summary,
    modes: settings.modes ?? base.modes,
    sandbox: settings.sandbox ?? base.sandbox,
    network: networkOf(settings.network, base.network),
    programs: programsOf(settings.programs, base.programs),
    plainArguments: settings.plain_arguments ?? base.plainArguments,
    builtins: { removed: inherit(settings.builtins?.removed, base.builtins.removed) },
    rules: rulesOf(settings, base.rules),
    opaque: {
      unknown: settings.opaque?.unknown ?? base.opaque.unknown,
      foreign: settings.opaque?.foreign ?? base.opaque.foreign,
    },
    default: settings.default ?? base.default,
    paths: pathsOf(settings.paths, base.paths),
    environment: environmentOf(settings, base.environment),
    timeouts: timeoutsOf(settings.timeouts, base.timeouts),
    output: {
      captureBytes: settings.output?.capture_bytes ?? base.output.captureBytes,
      presentedChars: settings.output?.presented_chars ?? base.output.presentedChars,
    },
    limits: limitsOf(settings.limits, base.limits),
    transaction: transactionOf(settings.transaction, base.transaction),
    concurrency: { perAgent: settings.concurrency?.per_agent ?? base.concurrency.perAgent },
    approvals: {
      waitMs: settings.approvals?.wait_ms ?? base.approvals.waitMs,
      runMs: settings.approvals?.run_ms ?? base.approvals.runMs,
    },
    agentPrograms: base.agentPrograms,
  }
}
