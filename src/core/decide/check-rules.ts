import type { Facts } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import type { Command } from '../model/request.js'
import { actionForbidsText, toolOf } from './action.js'
import { ruleCovers } from './rule-matches.js'

/** How an example is read: the reader, handed in because deciding does not depend on it. */
export type ReadExample = (command: Command) => Facts

export interface WrongExample {
  readonly rule: string
  readonly example: string
  readonly which: 'hits' | 'misses'
}

function speaksOf(rule: Rule, script: string, read: ReadExample): boolean {
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

/** Runs every rule over its own examples. Not empty: the file that holds the rules must be refused. */
export function checkRules(rules: readonly Rule[], read: ReadExample): readonly WrongExample[] {
  return rules.flatMap((rule) => [
    ...rule.hits
      .filter((example) => !speaksOf(rule, example, read))
      .map((example) => ({ rule: rule.id, example, which: 'hits' }) as const),
    ...rule.misses
      .filter((example) => speaksOf(rule, example, read))
      .map((example) => ({ rule: rule.id, example, which: 'misses' }) as const),
  ])
}
