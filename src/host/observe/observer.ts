import { CordonError } from '../../core/model/basics/errors.js'
import type { Profile } from '../../core/model/policy/profile.js'
import { type Answers, noAnswers, type Question } from '../../core/model/run/facts.js'
import type { HostContext } from '../../core/model/run/surroundings.js'
import type { Observer } from '../../engine/ports/ports.js'
import { remotesAt } from '../git/remotes.js'
import { type Witness, witnessed } from '../untrusted-files/witness.js'
import { resolveDirectory } from './directory.js'
import { fileIdentity } from './file-identity.js'
import { MaskedPrograms } from './masked-programs.js'
import { findProgram } from './programs.js'
import { realPath } from './real-path.js'
import { scriptText } from './script-text.js'
import { hostContextOf, type MountPath, rootsOf } from './surroundings.js'
import { linesBeforeError } from './syntax.js'

export type ObserverOptions = MountPath

function answerOne(question: Question, place: MountPath, answers: Answers): void {
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${place.workspace}/${path}`)
  switch (question.ask) {
    case 'path':
      answers.paths.set(question.path, realPath(absolute(question.path)))
      return
    case 'program':
      answers.programs.set(question.name, findProgram(question.name, place.env.PATH ?? '', place.workspace))
      return
    case 'script':
      answers.scripts.set(question.path, scriptText(absolute(question.path)))
      return
    case 'syntax':
      answers.syntax?.set(question.text, linesBeforeError(question.text))
      return
    case 'remotes':
      answers.remotes?.set(question.path, remotesAt(absolute(question.path)))
  }
}

/** Keeps the last observation of each profile while everything that it looked at is unchanged. */
class HostContexts {
  readonly #place: MountPath
  readonly #known = new WeakMap<Profile, { readonly value: HostContext; readonly witness: Witness }>()

  constructor(place: MountPath) {
    this.#place = place
  }

  of(profile: Profile): HostContext {
    const known = this.#known.get(profile)
    if (known?.witness.holds()) return known.value
    const observed = witnessed(() => hostContextOf(profile, this.#place))
    if (observed.witness.isCertain) this.#known.set(profile, observed)
    else this.#known.delete(profile)
    return observed.value
  }
}

/** Eyes on the host. Throws DIRECTORY_NOT_FOUND at once when the workspace is not a directory. */
export function createObserver(options: ObserverOptions): Observer {
  const { real: workspace, kind } = realPath(options.workspace)
  if (kind !== 'directory' || !options.workspace.startsWith('/')) {
    throw new CordonError(
      'DIRECTORY_NOT_FOUND',
      `The workspace ${options.workspace} is not a directory. Name one that exists, as an absolute path.`,
    )
  }
  const home = realPath(options.home)
  const place: MountPath = { ...options, workspace, home: home.kind === 'directory' ? home.real : options.home }
  const contexts = new HostContexts(place)
  const masked = new MaskedPrograms(options.env.PATH ?? '')
  return {
    answer(questions) {
      const answers = noAnswers()
      for (const question of questions) answerOne(question, place, answers)
      return answers
    },
    identity: fileIdentity,
    surroundings: (profile, denied = []) => ({ ...contexts.of(profile), masked: masked.locate(denied) }),
    directory: (cwd, profile) => resolveDirectory(cwd ?? workspace, workspace, rootsOf(profile, place)),
  }
}
