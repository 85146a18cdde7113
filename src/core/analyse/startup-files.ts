import type { Arg } from './programs/knowledge.js'
import type { Reading } from './reading.js'
import { runScript } from './shell-text.js'
import type { State } from './state.js'
import { lookUp } from './variables.js'

/** How a shell was told to start. */
interface Start {
  readonly login: boolean
  readonly interactive: boolean
  readonly given: readonly string[]
}

const SHELLS = new Set('bash sh dash ash rbash zsh ksh ksh93 mksh'.split(' '))

export const isShell = (program: string): boolean => SHELLS.has(program)

/**
 * Files a shell reads before anything else, because it is a login shell or an interactive one. Those in the home the command was given
 * are its user's own, unless the script wrote them; in a home the script chose they are the script's.
 */
export function runStartupFiles(reading: Reading, state: State, program: string, args: readonly Arg[]): void {
  if (reading.remote > 0) return
  const start = startOf(args)
  if (start.login)
    reading.findings.spot({
      kind: 'foreign',
      reason: `${program} runs the files of the system for those who log in`,
      span: reading.here,
      inherent: true,
    })
  const home = lookUp(reading, state, program === 'zsh' && state.get('ZDOTDIR')?.isSet ? 'ZDOTDIR' : 'HOME').value
  const isOwn = home === reading.context.home
  if (typeof home !== 'string') {
    if (start.login || start.interactive || program === 'zsh')
      reading.reportUnknown(`${program} reads files of a home that is not known`, null)
    return
  }
  const files = [...start.given, ...namesFor(program, start).map((name) => `${home}/${name}`)]
  let isFound = false
  for (const file of files) {
    // Of a login shell's own files only the first that is there is read.
    if (isFound && /\.(bash_login|profile)$/.test(file)) continue
    isFound = runStartupFile(reading, state, file, isOwn) || isFound
  }
}

function startOf(args: readonly Arg[]): Start {
  let login = /^-/.test(args[0]?.text ?? '')
  let interactive = true
  const given: string[] = []
  for (let i = 1; i < args.length; i++) {
    const text = args[i]?.text ?? args[i]?.head ?? ''
    if (/^([-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(text)) i++
    if (text === '--login') login = true
    const file = /^--(?:rcfile|init-file)=(.+)$/s.exec(text)?.[1]
    if (file !== undefined) given.push(file)
    if (!/^[-+]/.test(text)) return { login, interactive: /i/.test(letters(args)), given }
    if (/^-[a-zA-Z]*l/.test(text)) login = true
    if (/^-[a-zA-Z]*[cs]/.test(text)) interactive = /i/.test(letters(args))
  }
  // Without a script it is interactive wherever somebody gives it a terminal.
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

/** True where the file is known to be there. */
function runStartupFile(reading: Reading, state: State, file: string, isOwn: boolean): boolean {
  const path = reading.absolute(state, file)
  if (path === null) {
    reading.reportUnknown(`a shell reads ${file} of a directory that is not known`, null)
    return false
  }
  const isOurs = reading.files.has(path) || reading.copies.has(path) || reading.written.has(path)
  if (!isOurs && isOwn) return false
  if (!isOurs) {
    reading.ask({ ask: 'script', path })
    reading.ask({ ask: 'path', path })
    if (reading.answers.paths.get(path)?.kind === 'missing') return false
  }
  const original = reading.copies.get(path) ?? path
  const inner = state.fork()
  runScript(reading, inner, { text: original, head: original, several: false, span: reading.here }, [], 'unknown')
  return isOurs
}
