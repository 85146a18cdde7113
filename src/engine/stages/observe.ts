import type { AnalysisResult } from '../../core/analyse/analyse.js'
import { MAX_QUESTIONS } from '../../core/analyse/analysis/questions.js'
import { pathQuestions } from '../../core/decide/decide.js'
import { remoteQuestions, withRemotes } from '../../core/decide/match/git-remotes.js'
import type { Answers, Question } from '../../core/model/run/facts.js'
import type { DecidingPorts } from '../ports/ports.js'
import type { AnalysedRequest, ObservedRequest } from './nouns.js'

/** A script that names a script that names a script…: past this the rest stays unread, and unread is hidden. */
const ROUNDS = 4

/**
 * Has the host answer what the analysis asks. Analyses again only where an answer arrives that the analysis looked
 * for: programs, and most paths, are asked for the stages that follow.
 */
export function observe(analysed: AnalysedRequest, { observer }: Pick<DecidingPorts, 'observer'>): ObservedRequest {
  const { analysis: first, analyseWith, answers, ...normalised } = analysed
  const ask = (questions: readonly Question[]): boolean =>
    answers.add(observer.answer(questions, normalised.surroundings))
  let analysis: AnalysisResult = first
  for (let round = 0; round < ROUNDS; round++) {
    const open = unanswered(analysis.questions, answers)
    if (open.length === 0) break
    const isAllAsked = analysis.questions.length < MAX_QUESTIONS
    if (!ask(open) && isAllAsked) break
    analysis = analyseWith(answers)
  }
  // Scripts that lead to scripts: the rest counts as unreadable.
  const unread = unanswered(analysis.questions, answers).flatMap((one) => (one.ask === 'script' ? one.path : []))
  if (unread.length > 0) {
    for (const path of unread) answers.scripts.set(path, null)
    analysis = analyseWith(answers)
  }
  const { cwd } = normalised.request
  ask(unanswered([...pathQuestions(analysis.facts), ...remoteQuestions(analysis.facts, cwd)], answers))
  return { ...normalised, facts: withRemotes(analysis.facts, answers, cwd), answers }
}

const unanswered = (questions: readonly Question[], answers: Answers): readonly Question[] =>
  questions.filter((question) => !isAnswered(question, answers))

function isAnswered(question: Question, { paths, programs, scripts, syntax, remotes }: Answers): boolean {
  switch (question.ask) {
    case 'path':
      return paths.has(question.path)
    case 'program':
      return programs.has(question.name)
    case 'script':
      return scripts.has(question.path)
    case 'syntax':
      return syntax?.has(question.text) === true
    case 'remotes':
      return remotes?.has(question.path) === true
  }
}
