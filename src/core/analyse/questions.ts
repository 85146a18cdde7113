import type { Answers, Question } from '../model/facts.js'

/** The most the host is asked in one round. */
const QUESTIONS = 256

/** What the host has to be asked before the facts are complete, each once. */
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
    const { paths, programs, scripts, syntax } = this.#answers
    const subject =
      question.ask === 'program' ? question.name : question.ask === 'syntax' ? question.text : question.path
    if ({ program: programs, path: paths, script: scripts, syntax }[question.ask]?.has(subject)) return
    if (this.#list.size < QUESTIONS) this.#list.set(`${question.ask} ${subject}`, question)
  }
}
