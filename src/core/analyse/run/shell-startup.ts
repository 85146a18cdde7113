import type { Analysis } from '../analysis/analysis.js'
import { lookUp } from '../expand/variables.js'
import { absolutePath } from '../files/physical-path.js'
import type { Arg } from '../programs/grammar/roles.js'
import type { State } from '../state/state.js'
import { runScript } from './shell-text.js'

/** Options and arguments that a shell starts with. */
interface Start {
  readonly login: boolean
  readonly interactive: boolean
  readonly given: readonly string[]
}

const SHELLS = new Set('bash sh dash ash rbash zsh ksh ksh93 mksh'.split(' '))

export const isShell = (program: string): boolean => SHELLS.has(program)

/** Runs the startup files of a shell. Those in the user's home are trusted unless the script wrote them. */
export function runStartupFiles(analysis: Analysis, state: State, program: string, args: readonly Arg[]): void {
  if (analysis.certainty.isRemote) return
  const start = startOf(args)
  if (start.login)
    analysis.findings.spot({
      kind: 'foreign',
      reason: `${program} runs the login files of the system`,
      span: analysis.location.here,
      inherent: true,
    })
  const home = lookUp(
    analysis,
    state,
    program === 'zsh' && state.variables.get('ZDOTDIR')?.isSet ? 'ZDOTDIR' : 'HOME',
  ).value
  const isOwn = home === analysis.input.home
  if (typeof home !== 'string') {
    if (start.login || start.interactive || program === 'zsh')
      analysis.findings.reportUnknown(`${program} reads startup files in an unknown home directory`, null)
    return
  }
  const files = [...start.given, ...namesFor(program, start).map((name) => `${home}/${name}`)]
  let isFound = false
  for (const file of files) {
    // A login shell reads only the first of its files that exists.
    if (isFound && /\.(bash_login|profile)$/.test(file)) continue
    isFound = runStartupFile(analysis, state, file, isOwn) || isFound
  }
}

function startOf(args: readonly Arg[]): Start {
  let login = /^-/.test(args[0]?.text ?? '')
  let interactive = true
  const given: string[] = []
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? args[i]?.prefix ?? ''
    if (/^([-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(text)) i++
    if (text === '--login') login = true
    const file = /^--(?:rcfile|init-file)=(.+)$/s.exec(text)?.[1]
    if (file !== undefined) given.push(file)
    if (!/^[-+]/.test(text)) return { login, interactive: /i/.test(letters(args)), given }
    if (/^-[a-zA-Z]*l/.test(text)) login = true
    if (/^-[a-zA-Z]*[cs]/.test(text)) interactive = /i/.test(letters(args))
  }
  // Without a script it is interactive if it has a terminal.
  return { login, interactive, given }
}

const letters = (args: readonly Arg[]): string =>
  args
    .slice(1)
    .filter((arg) => /^-[a-zA-Z]+$/.test(arg.text ?? ''))
    .map((arg) => arg.text)
    .join('')

function namesFor(program: string, { login, interactive }: Start): readonly string[] {
  if (program === 'zsh')
    return ['.zshenv', ...(login ? ['.zprofile', '.zlogin', '.zlogout'] : []), ...(interactive ? ['.zshrc'] : [])]
  if (!/^r?bash$/.test(program)) return login ? ['.profile'] : []
  return [
    ...(login ? ['.bash_profile', '.bash_login', '.profile', '.bash_logout'] : []),
    ...(interactive ? ['.bashrc'] : []),
  ]
}

/** Runs a startup file. Returns true if it is known to exist. */
function runStartupFile(analysis: Analysis, state: State, file: string, isOwn: boolean): boolean {
  const path = absolutePath(analysis, state, file)
  if (path === null) {
    analysis.findings.reportUnknown(`a shell runs ${file} in an unknown directory`, null)
    return false
  }
  const isWritten =
    analysis.files.texts.has(path) || analysis.files.copies.has(path) || analysis.files.writers.has(path)
  if (!isWritten && isOwn) return false
  if (!isWritten) {
    analysis.questions.add({ ask: 'script', path })
    analysis.questions.add({ ask: 'path', path })
    if (analysis.answers.paths.get(path)?.kind === 'missing') return false
  }
  const original = analysis.files.copies.get(path) ?? path
  const inner = state.fork()
  runScript(
    analysis,
    inner,
    { text: original, prefix: original, maySplit: false, span: analysis.location.here },
    [],
    'unknown',
  )
  return isWritten
}
