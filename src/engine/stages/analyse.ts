import { analyserOf } from '../../core/analyse/analyse.js'
import { inheritedBy } from './inherited.js'
import type { AnalysedRequest, NormalisedRequest } from './nouns.js'
import { TrackedAnswers } from './tracked-answers.js'

/** Parses the command and analyses it as far as that goes without asking the host. */
export function analyse(normalised: NormalisedRequest): AnalysedRequest {
  const { request, profile, surroundings, isOpen } = normalised
  const analyseWith = analyserOf(request.command, {
    cwd: request.cwd,
    home: profile.environment.home === 'workspace' ? surroundings.workspace : surroundings.home,
    env: request.env,
    inherited: inheritedBy(request, profile, surroundings),
    ...(isOpen || request.hasLiveStdin ? {} : { stdin: request.stdin ?? '' }),
  })
  const answers = new TrackedAnswers()
  return { ...normalised, analyseWith, answers, analysis: analyseWith(answers) }
}
