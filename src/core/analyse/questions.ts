import type { Answers, Question } from '../model/facts.js'

/** What the host is asked in one round. */
const QUESTIONS = 256
/** So many are compared one by one faster than they are looked up. */
const FEW = 12

const subjectOf = (question: Question): string => (question.ask === 'program' ? question.name : question.path)

const NONE: readonly Question[] = []

function isAsked(list: readonly Question[], question: Question): boolean {
  const subject = subjectOf(question)
  for (let i = 0; i < list.length; i++) {
    const other = list[i] as Question
    if (other.ask === question.ask && subjectOf(other) === subject) return true
  }
  return false
}

/** What the host has to be asked before the facts are complete, each once. */
export class Questions {
  #list: Question[] | null = null
  readonly #answers: Answers
  #asked: Record<Question['ask'], Set<string>> | null = null

  constructor(answers: Answers) {
    this.#answers = answers
  }

  get list(): readonly Question[] {
    return this.#list ?? NONE
  }

  add(question: Question): void {
    const list = this.#list
    if (list === null) {
      if (!this.#isAnswered(question)) this.#list = [question]
      return
    }
    if (list.length >= QUESTIONS || this.#isAnswered(question)) return
    if (list.length < FEW ? isAsked(list, question) : this.#wasAsked(list, question)) return
    list.push(question)
  }

  /** The same where there are many. What is asked is noted on the way. */
  #wasAsked(list: readonly Question[], question: Question): boolean {
    if (this.#asked === null) {
      this.#asked = { program: new Set(), path: new Set(), script: new Set() }
      for (const other of list) this.#asked[other.ask].add(subjectOf(other))
    }
    const asked = this.#asked[question.ask]
    const subject = subjectOf(question)
    if (asked.has(subject)) return true
    asked.add(subject)
    return false
  }

  #isAnswered(question: Question): boolean {
    const { paths, programs, scripts } = this.#answers
    if (question.ask === 'program') return programs.size > 0 && programs.has(question.name)
    if (question.ask === 'path') return paths.size > 0 && paths.has(question.path)
    return scripts.size > 0 && scripts.has(question.path)
  }
}
