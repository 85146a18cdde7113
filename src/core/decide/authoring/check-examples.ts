import type { Rule } from '../../model/policy/profile.js'
import type { Facts } from '../../model/run/facts.js'
import type { Command } from '../../model/run/request.js'
import { actionForbidsText, toolOf } from '../match/action-pattern.js'
import { ruleCovers } from '../profile/rule-matches.js'

/** Analyses one example. Passed in, because deciding does not depend on the analyser. */
export type ReadExample = (command: Command) => Facts

export interface WrongExample {
  readonly rule: string
  readonly example: string
  readonly which: 'hits' | 'misses'
}

function isMatched(rule: Rule, script: string, read: ReadExample): boolean {
  const command: Command = { mode: 'shell', script }
  const tool = rule.action?.startsWith('tool:exec') ? 'exec' : toolOf(command)
  if (
    rule.action !== null &&
    rule.program === null &&
    rule.verdict !== 'allow' &&
    actionForbidsText(rule.action, tool, script)
  )
    return true
  return read(command).invocations.some((part) => ruleCovers(rule, part, tool))
}

/** Returns the examples that contradict their rule. If any exist, the file that holds the rules is rejected. */
export function checkRules(rules: readonly Rule[], read: ReadExample): readonly WrongExample[] {
  return rules.flatMap((rule) => [
    ...rule.hits
      .filter((example) => !isMatched(rule, example, read))
      .map((example) => ({ rule: rule.id, example, which: 'hits' }) as const),
    ...rule.misses
      .filter((example) => isMatched(rule, example, read))
      .map((example) => ({ rule: rule.id, example, which: 'misses' }) as const),
  ])
}
