import type { Span } from '../../../core/model/basics/span.js'
import type { RuleMatch, Verdict } from '../../../core/model/policy/decision.js'
import { stricter } from '../../../core/model/policy/decision.js'
import type { Plan } from '../../../core/model/policy/plan.js'
import type { Facts, Invocation, PathFact } from '../../../core/model/run/facts.js'
import type { CheckResult } from '../../../engine/api.js'
import type { Paint } from '../terminal/style.js'
import { cut, pad, visible } from '../terminal/visible-text.js'
import { evidence } from './evidence.js'
import { place } from './excerpt.js'

const SIGN = { allow: '✔', ask: '?', deny: '✘' } as const
const SENTENCE = {
  allow: 'This would be run.',
  ask: 'This would be held until a person approves it.',
  deny: 'This would be refused.',
} as const
const NOT_STARTED = 'This would not be run.'

/**
 * Formats a check for a person: the verdict, each part with its own, what could not be seen, what it touches, the
 * plan.
 */
export function checkText(checked: CheckResult, paint: Paint, columns: number): string {
  const { verdict, text, facts, plan, unenforceable, decision, because, rule } = checked
  const blocks = [
    unenforceable
      ? [`${sign('deny', paint)} ${paint.bold(NOT_STARTED)}`, `  ${paint.red(visible(unenforceable.message))}`]
      : [`${sign(verdict, paint)} ${paint.bold(SENTENCE[verdict])}`],
    facts.invocations
      .filter(({ implied }) => !implied)
      .map((invocation) => part(invocation, decision.matches, text, paint, columns)),
    ...(verdict === 'allow' ? [] : because.map((match) => evidence(match, text, { paint, columns }))),
    facts.opaque
      .filter(({ inherent }) => !inherent)
      .map((spot) =>
        row(spot.kind, `${place(text, spot.span[0])} ${snippet(text, spot.span, 40)}`, spot.reason, paint),
      ),
    rule
      ? [
          row(
            'rule',
            `to allow it for good: permissions.allow = [${visible(JSON.stringify(rule.action ?? rule.id))}]`,
            '',
            paint,
          ),
        ]
      : [],
    touched(facts, paint),
    plan ? planLines(plan, paint) : [],
  ]
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`
}

const colour = (verdict: Verdict, paint: Paint): ((text: string) => string) =>
  ({ allow: paint.green, ask: paint.yellow, deny: paint.red })[verdict]

const sign = (verdict: Verdict, paint: Paint): string => colour(verdict, paint)(SIGN[verdict])

function part(
  invocation: Invocation,
  matches: readonly RuleMatch[],
  text: string,
  paint: Paint,
  columns: number,
): string {
  const own = matches.filter((match) => speaksOf(match, invocation))
  const verdict = own.map((match) => match.verdict).reduce(stricter, 'allow')
  const rules = [...new Set(own.filter((match) => match.verdict === verdict).map(({ rule }) => rule))].join(', ')
  const via = invocation.via.length > 0 ? paint.dim(` (through ${invocation.via.map(visible).join(', ')})`) : ''
  const shown = snippet(text, invocation.span, Math.max(20, Math.floor(columns / 2)))
  return `  ${sign(verdict, paint)} ${pad(shown, 30)} ${paint.dim(visible(rules))}${via}`
}

/**
 * A match speaks of a part when it points into it; one that points at the whole line and names a program, of that
 * program.
 */
function speaksOf({ span, program }: RuleMatch, invocation: Invocation): boolean {
  const [from, to] = invocation.span
  if (span[0] >= from && span[1] <= to) return program === undefined || program === invocation.program || span[0] > from
  return program !== undefined && program === invocation.program && span[0] <= from && span[1] >= to
}

const snippet = (text: string, [from, to]: Span, columns: number): string => cut(text.slice(from, to), columns)

const row = (label: string, value: string, note: string, paint: Paint): string =>
  `  ${paint.dim(label.padEnd(8))} ${value}${note ? paint.dim(`  ${visible(note)}`) : ''}`

function touched({ reads, writes, deletes, hosts }: Facts, paint: Paint): readonly string[] {
  const paths = (label: string, facts: readonly PathFact[]): string[] =>
    facts.map(({ path, by, partial, recursive }) =>
      row(label, `${visible(path)}${partial ? '…' : ''}`, `${by}${recursive ? ', everything below' : ''}`, paint),
    )
  const places = hosts.map(({ host, port, by }) =>
    row('host', `${visible(host)}${port === null ? '' : `:${port}`}`, by, paint),
  )
  return [...new Set([...paths('reads', reads), ...paths('writes', writes), ...paths('deletes', deletes), ...places])]
}

function planLines(plan: Plan, paint: Paint): readonly string[] {
  const { sandbox } = plan
  const network =
    sandbox.kind === 'none'
      ? 'full'
      : typeof sandbox.network === 'string'
        ? sandbox.network
        : sandbox.network.hosts.join(', ')
  const timeout = plan.timeoutMs === null ? 'no timeout' : `timeout ${plan.timeoutMs / 1000}s`
  return [
    row('plan', `profile ${visible(plan.profile)} in ${visible(plan.cwd)}`, '', paint),
    row(
      '',
      `sandbox ${sandbox.kind}, network ${visible(network)}, ${timeout}, transaction ${plan.transaction}`,
      '',
      paint,
    ),
    row('', `digest ${plan.digest.slice(0, 16)}`, '', paint),
  ]
}
