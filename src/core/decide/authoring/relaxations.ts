import { stricter, type Verdict } from '../../model/policy/decision.js'
import { hostsOf, type ProfileNetwork, unlistedVerdict } from '../../model/policy/network-sets.js'
import type { Profile } from '../../model/policy/profile.js'

/** One setting that is looser in a profile than in another, with the reason. */
export interface Relaxation {
  readonly key: readonly string[]
  readonly why: string
}

type Check = (from: Profile, to: Profile) => string | null
type Row = readonly [key: string, check: Check]

const missing = (wanted: readonly string[], list: readonly string[]): readonly string[] =>
  wanted.filter((one) => !list.includes(one))
const quoted = (list: readonly string[]): string => list.map((one) => JSON.stringify(one)).join(', ')
const adds = (from: readonly string[], to: readonly string[]): string | null => {
  const extra = missing(to, from)
  return extra.length > 0 ? `it adds ${quoted(extra)}` : null
}
const drops = (from: readonly string[], to: readonly string[]): string | null => {
  const gone = missing(from, to)
  return gone.length > 0 ? `it leaves out ${quoted(gone)}` : null
}
const weaker = (from: Verdict, to: Verdict): string | null =>
  stricter(from, to) === to ? null : `${to} is less strict than ${from}`
const raised = (from: number | null, to: number | null): string | null =>
  from !== null && (to === null || to > from) ? `${to ?? 'no limit'} is more than ${from}` : null
const turnedOn = (from: boolean, to: boolean): string | null => (to && !from ? 'it is switched on' : null)
const turnedOff = (from: boolean, to: boolean): string | null => (from && !to ? 'it is switched off' : null)
/** An absent list is every name there is. */
const widened = (from: readonly string[] | null, to: readonly string[] | null): string | null =>
  from === null ? null : to === null ? 'it lifts the list' : adds(from, to)

function network(from: ProfileNetwork, to: ProfileNetwork): string | null {
  if (from === 'full' || to === 'none') return null
  if (to === 'full') return `"full" is more than ${from === 'none' ? '"none"' : 'a list of hosts'}`
  return adds(hostsOf(from), hostsOf(to)) ?? weaker(unlistedVerdict(from), unlistedVerdict(to))
}

/**
 * Reports whether one configured path is below another: `src` below `.`, `~/x` below `~`, everything below `/`. It
 * resolves no symlinks.
 */
function isBelow(place: string, root: string): boolean {
  if (place.split('/').includes('..')) return false
  return root === '/' || place.startsWith(`${root}/`) || (root === '.' && !/^[~/]/.test(place))
}

const reached = (from: readonly string[], to: readonly string[]): string | null =>
  adds(
    from,
    to.filter((place) => !from.some((root) => isBelow(place, root))),
  )

const writableIn = ({ paths }: Profile): readonly string[] =>
  paths.write ? [...paths.roots, ...paths.writable] : paths.writable

const MODES = ['off', 'auto', 'always', 'review'] as const
const ALL_CODES = Array.from({ length: 254 }, (_, i) => i + 2)

function transactionRows(): readonly Row[] {
  return [
    [
      'transaction.mode',
      (a, b) =>
        MODES.indexOf(b.transaction.mode) < MODES.indexOf(a.transaction.mode)
          ? `${b.transaction.mode} snapshots fewer files than ${a.transaction.mode}`
          : null,
    ],
    [
      'transaction.on_failure',
      (a, b) =>
        a.transaction.onFailure === 'restore' && b.transaction.onFailure === 'keep'
          ? 'a failed command would keep its changes'
          : null,
    ],
    [
      'transaction.rollback_codes',
      (a, b) =>
        drops(
          (a.transaction.rollbackCodes ?? ALL_CODES).map(String),
          (b.transaction.rollbackCodes ?? ALL_CODES).map(String),
        ) && 'fewer exit codes roll changes back',
    ],
    [
      'transaction.scope',
      (a, b) => (b.transaction.scope.includes('**') ? null : drops(a.transaction.scope, b.transaction.scope)),
    ],
    [
      'transaction.max_bytes',
      (a, b) =>
        b.transaction.maxBytes < a.transaction.maxBytes && !b.transaction.required
          ? 'fewer bytes would be snapshotted'
          : null,
    ],
    ['transaction.required', (a, b) => turnedOff(a.transaction.required, b.transaction.required)],
  ]
}

/** From the one that shows least. */
const HOMES: readonly Profile['environment']['home'][] = ['private', 'workspace', 'real']

const ROWS: readonly Row[] = [
  ['sandbox', (a, b) => (a.sandbox === 'required' && b.sandbox === 'off' ? '"off" removes the sandbox' : null)],
  ['modes', (a, b) => adds(a.modes, b.modes)],
  ['network', (a, b) => network(a.network, b.network)],
  ['default', (a, b) => weaker(a.default, b.default)],
  ['plain_arguments', (a, b) => turnedOff(a.plainArguments, b.plainArguments)],
  ['programs.allow_only', (a, b) => widened(a.programs.allowOnly, b.programs.allowOnly)],
  ['programs.paths', (a, b) => turnedOn(a.programs.paths, b.programs.paths)],
  ['builtins.removed', (a, b) => adds(a.builtins.removed, b.builtins.removed)],
  ['rules', (a, b) => rulesLoosened(a, b)],
  ['opaque.unknown', (a, b) => weaker(a.opaque.unknown, b.opaque.unknown)],
  // A sandbox contains foreign code, so a profile that gains a sandbox and asks less is not looser.
  [
    'opaque.foreign',
    (a, b) => (a.sandbox === 'off' && b.sandbox === 'required' ? null : weaker(a.opaque.foreign, b.opaque.foreign)),
  ],
  ['paths.roots', (a, b) => reached(a.paths.roots, b.paths.roots)],
  ['paths.writable', (a, b) => reached(writableIn(a), b.paths.writable)],
  // An entry in a root can show a hidden path.
  ['paths.readable', (a, b) => adds(a.paths.readable, b.paths.readable)],
  ['paths.hidden', (a, b) => drops(a.paths.hidden, b.paths.hidden)],
  ['paths.protected', (a, b) => drops(a.paths.protected, b.paths.protected)],
  ['paths.write', (a, b) => turnedOn(a.paths.write, b.paths.write)],
  ['paths.read_outside', (a, b) => weaker(a.paths.readOutside, b.paths.readOutside)],
  ['paths.write_outside', (a, b) => weaker(a.paths.writeOutside, b.paths.writeOutside)],
  ['environment.pass', (a, b) => adds(a.environment.pass, b.environment.pass)],
  [
    'environment.set',
    (a, b) =>
      adds(
        a.environment.set.map((pair) => pair.join('=')),
        b.environment.set.map((pair) => pair.join('=')),
      ),
  ],
  ['environment.strip', (a, b) => drops(a.environment.strip, b.environment.strip)],
  [
    'environment.home',
    (a, b) => (HOMES.indexOf(b.environment.home) > HOMES.indexOf(a.environment.home) ? 'it shows the real home' : null),
  ],
  [
    'environment.shared',
    (a, b) => (a.environment.home === 'private' ? adds(a.environment.shared, b.environment.shared) : null),
  ],
  ['timeouts.structured_ms', (a, b) => raised(a.timeouts.structuredMs, b.timeouts.structuredMs)],
  ['timeouts.shell_ms', (a, b) => raised(a.timeouts.shellMs, b.timeouts.shellMs)],
  ['timeouts.max_ms', (a, b) => raised(a.timeouts.maxMs, b.timeouts.maxMs)],
  ['timeouts.none_allowed', (a, b) => turnedOn(a.timeouts.noneAllowed, b.timeouts.noneAllowed)],
  ['timeouts.grace_ms', (a, b) => raised(a.timeouts.graceMs, b.timeouts.graceMs)],
  ['output.capture_bytes', (a, b) => raised(a.output.captureBytes, b.output.captureBytes)],
  ['limits.memory_bytes', (a, b) => raised(a.limits.memoryBytes, b.limits.memoryBytes)],
  ['limits.processes', (a, b) => raised(a.limits.processes, b.limits.processes)],
  ['limits.cpu_seconds', (a, b) => raised(a.limits.cpuSeconds, b.limits.cpuSeconds)],
  ['limits.file_bytes', (a, b) => raised(a.limits.fileBytes, b.limits.fileBytes)],
  ['limits.open_files', (a, b) => raised(a.limits.openFiles, b.limits.openFiles)],
  ['limits.disk_bytes', (a, b) => raised(a.limits.diskBytes, b.limits.diskBytes)],
  ['limits.home_bytes', (a, b) => raised(a.environment.homeBytes, b.environment.homeBytes)],
  ['concurrency.per_agent', (a, b) => raised(a.concurrency.perAgent, b.concurrency.perAgent)],
  ['approvals.wait_ms', (a, b) => raised(a.approvals.waitMs, b.approvals.waitMs)],
  ['approvals.run_ms', (a, b) => raised(a.approvals.runMs, b.approvals.runMs)],
  ['programs', (a, b) => widened(a.agentPrograms, b.agentPrograms)],
  ...transactionRows(),
]

function rulesLoosened(from: Profile, to: Profile): string | null {
  const spell = (rule: Profile['rules'][number]): string =>
    JSON.stringify([rule.program, rule.args, rule.action, rule.verdict])
  const before = new Set(from.rules.map(spell))
  const after = new Set(to.rules.map(spell))
  const allowed = to.rules.find((rule) => rule.verdict === 'allow' && !before.has(spell(rule)))
  if (allowed) return `the rule "${allowed.id}" allows something`
  const gone = from.rules.find((rule) => rule.verdict !== 'allow' && !after.has(spell(rule)))
  return gone ? `the rule "${gone.id}" is gone` : null
}

/** Returns every setting in which `to` is looser than `from`. Empty if `to` only tightens. */
export function relaxations(from: Profile, to: Profile): readonly Relaxation[] {
  return ROWS.flatMap(([key, check]) => {
    const why = check(from, to)
    return why === null ? [] : [{ key: key.split('.'), why }]
  })
}
