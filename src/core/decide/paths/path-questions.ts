import type { Facts, Question } from '../../model/run/facts.js'
import { askable, parentOf } from './path-patterns.js'

/** Returns the questions about real paths that must be answered before a decision. */
export function pathQuestions(facts: Facts): readonly Question[] {
  const paths = new Set<string>()
  for (const fact of [...facts.reads, ...facts.writes]) paths.add(askable(fact)[0])
  for (const fact of facts.deletes) {
    const path = askable(fact)[0]
    paths.add(path)
    if (path.startsWith('/')) paths.add(parentOf(path)[0])
  }
  return [...paths].filter((path) => path.startsWith('/')).map((path) => ({ ask: 'path', path }))
}
