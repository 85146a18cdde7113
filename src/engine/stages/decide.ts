import { decide as decideFacts } from '../../core/decide/decide.js'
import { requestMatches } from '../../core/decide/profile/request-rules.js'
import { strictest } from '../../core/model/policy/decision.js'
import { type Facts, noAnswers } from '../../core/model/run/facts.js'
import type { DecidedRequest, NormalisedRequest, ObservedRequest } from './nouns.js'

const NO_FACTS: Facts = {
  invocations: [],
  reads: [],
  writes: [],
  deletes: [],
  hosts: [],
  environment: [],
  shapes: [],
  writesAnything: false,
  opaque: [],
}

/**
 * Denies a request by its form alone: its mode, the name of its program, its arguments. Null where the form breaks no
 * rule.
 */
export function denyByForm(normalised: NormalisedRequest): DecidedRequest | null {
  const { request, profile } = normalised
  const matches = requestMatches(request.command, request.text, profile)
  if (matches.length === 0) return null
  return { ...normalised, facts: NO_FACTS, answers: noAnswers(), decision: strictest(matches) }
}

/** Decides by the profile what the facts amount to. A refusal is a decision, nothing is thrown. */
export function decide(observed: ObservedRequest): DecidedRequest {
  const { request, profile, surroundings, facts, answers } = observed
  const { command, text, cwd, agent } = request
  return { ...observed, decision: decideFacts({ command, text, facts, answers, profile, surroundings, cwd, agent }) }
}
