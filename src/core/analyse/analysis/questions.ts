import type { Answers, Question } from '../../model/run/facts.js'

/** The maximum number of questions for the host in one round. */
export const MAX_QUESTIONS = 256

/** Questions for the host, without duplicates. */
export class Questions {
  readonly #list = new Map<string, Question>()
  readonly #answers: Answers

  constructor(answers: Answers) {
    this.#answers = answers
  }

  get list(): readonly Question[] {
    return [...this.#list.values()]
  }

  add(question: Question): void {
    const { paths, programs, scripts, syntax, remotes } = this.#answers
    const subject =
      question.ask === 'program' ? question.name : question.ask === 'syntax' ? question.text : question.path
    if ({ program: programs, path: paths, script: scripts, syntax, remotes }[question.ask]?.has(subject)) return
    if (this.#list.size < MAX_QUESTIONS) this.#list.set(`${question.ask} ${subject}`, question)
  }
}
