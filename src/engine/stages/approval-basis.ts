import type { ApprovalBasis } from '../../core/model/policy/plan.js'
import type { Answers, Facts } from '../../core/model/run/facts.js'
import { canonicalJson } from '../../core/plan/canonical.js'
import type { DecidingPorts } from '../ports/ports.js'
import type { DecidedRequest } from './nouns.js'

/** Programs there change with the system, not with a command. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib(?:32|64|x32)?)\//

/**
 * Returns the basis of an approval besides the command: the reasons shown, the text of every script
 * that was read, and the identity of every program outside the system's directories. Null if no person is asked.
 */
export function approvalBasis(
  { decision, facts, answers, request }: DecidedRequest,
  ports: DecidingPorts,
): ApprovalBasis | null {
  if (decision.verdict !== 'ask') return null
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${request.cwd}/${path}`)
  const files = new Map<string, string>()
  for (const path of [...programsOf(facts, answers, ports), ...foreignFiles(facts)]) {
    if (SYSTEM.test(path)) continue
    files.set(absolute(path), ports.observer.identity(absolute(path)) ?? 'missing')
  }
  for (const [path, text] of answers.scripts) if (text !== null) files.set(absolute(path), ports.sha256(text))
  return {
    reasons: ports.sha256(canonicalJson(decision.because.map(({ rule, reason }) => [rule, reason]))),
    files: [...files].sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

/** The scripts that were read, by the paths they were asked for. */
export const scriptsRead = ({ answers }: DecidedRequest): readonly (readonly [path: string, text: string])[] =>
  [...answers.scripts].flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]))

function programsOf({ invocations }: Facts, { programs }: Answers, { observer }: DecidingPorts): readonly string[] {
  const names = new Set(invocations.flatMap(({ argv: [name] }) => (typeof name === 'string' ? name : [])))
  const unknown = [...names].filter((name) => !name.includes('/') && !programs.has(name))
  const found = observer.answer(unknown.map((name) => ({ ask: 'program', name }))).programs
  return [...names].flatMap((name) => (name.includes('/') ? name : (programs.get(name) ?? found.get(name) ?? [])))
}

/** Files that programs of another language were given: `python deploy.py`. */
function foreignFiles({ opaque, invocations, reads }: Facts): readonly string[] {
  const spans = opaque.flatMap(({ kind, span }) => (kind === 'foreign' ? [span] : []))
  const isForeign = ([from, to]: readonly [number, number]): boolean => spans.some(([a, b]) => from < b && a < to)
  const programs = new Set(invocations.flatMap(({ program, span }) => (isForeign(span) ? (program ?? []) : [])))
  return reads.flatMap(({ path, by, partial }) => (partial !== true && programs.has(by) ? path : []))
}
