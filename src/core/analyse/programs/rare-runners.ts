import { foreign, runsShell } from './arg-parts.js'
import { without } from './arguments.js'
import type { Call, Effect, Family, Grammar } from './knowledge.js'
import { commandAfter } from './package-hooks.js'

/** `debugfs -R '!command'`. */
function debuggerRequest(call: Call): readonly Effect[] {
  const request = call.value('-R')
  if (!request) return []
  const found = /^\s*!/.exec(request.head)
  return found ? [runsShell(without(request, found[0].length), 'debugfs !')] : []
}

/** `fail2ban-client set JAIL action NAME actionban COMMAND`. */
function banAction({ operands }: Call): readonly Effect[] {
  const at = operands.findIndex((arg) => /^action(?:start|stop|check|ban|unban|flush)$/.test(arg.text ?? ''))
  const command = at < 0 ? undefined : operands[at + 1]
  return command ? [runsShell(command, 'fail2ban-client')] : []
}

/** The name of a directory is put into a text that a shell evaluates. */
const evaluatedName = ({ operands: [name] }: Call): readonly Effect[] =>
  name && !/^[A-Z_]*$/.test(name.text ?? '-')
    ? [{ does: 'unknown', reason: 'xdg-user-dir evaluates what it is given', at: name.span }]
    : []

/** A file of another kind than those it comes with is code. */
const ownFile =
  (...options: readonly string[]) =>
  (call: Call): readonly Effect[] => {
    const file = call.value(...options)
    return file && (file.text === null || /[/.]/.test(file.text)) ? [foreign('a file of code it is given', file)] : []
  }

/** The loader runs what it looks into. */
const looksByRunning = ({ operands }: Call): readonly Effect[] =>
  operands.some((arg) => !/^\/(?:usr\/|bin\/|sbin\/|lib)/.test(arg.head))
    ? [foreign('the loader of the program it looks into')]
    : []

const ELSEWHERE: Grammar = { foreign: 'a command on another machine', permute: false, unlisted: 'ignore' }

/** Programs that are seldom met, and can be made to run something by an option or an argument. */
export const rareRunners: Family = [
  {
    names: 'cowsay cowthink',
    values: { '-f': 'text', '-e -T -W': 'text' },
    unlisted: 'ignore',
    contained: true,
    hook: ownFile('-f'),
  },
  {
    names: 'neofetch screenfetch',
    values: {
      '--config --print_config': 'code-file',
      '--ascii --source': 'code',
      '--ascii_distro --backend --off': 'text',
    },
    unlisted: 'ignore',
    contained: true,
  },
  {
    names: 'csvtool',
    unlisted: 'ignore',
    subcommands: {
      call: { operands: ['shell'], rest: 'read' },
      '*': { rest: 'text', unlisted: 'ignore', contained: true },
    },
  },
  {
    names: 'debugfs',
    flags: '-w -c -i -n -D -V',
    values: { '-R': 'text', '-f': 'code-file', '-b -s -z': 'text', '-d': 'read' },
    rest: 'update',
    unlisted: 'ignore',
    hook: debuggerRequest,
  },
  { names: 'dmsetup', values: { '--exec': 'words' }, rest: 'update', unlisted: 'ignore' },
  { names: 'fail2ban-client', rest: 'text', unlisted: 'ignore', hook: banAction },
  {
    names: 'launchctl',
    unlisted: 'ignore',
    permute: false,
    hook: (call) => (call.argv[1]?.text === 'submit' ? commandAfter(call, 9) : []),
  },
  {
    names: 'nomad',
    unlisted: 'ignore',
    subcommands: { 'exec,alloc,lock,action': ELSEWHERE, '*': { unlisted: 'ignore' } },
  },
  {
    names: 'unison',
    values: {
      '-sshcmd -rshcmd -servercmd -diff -merge -copyprog -copyprogrest': 'shell',
      '-sshargs -rshargs -root -path -ignore': 'text',
    },
    singleDash: true,
    rest: 'update-tree',
    unlisted: 'ignore',
  },
  { names: 'xdg-user-dir', unlisted: 'ignore', hook: evaluatedName },
  { names: 'ldd', rest: 'read', unlisted: 'ignore', contained: true, hook: looksByRunning },
  {
    names: 'devbox',
    unlisted: 'ignore',
    subcommands: {
      run: { operands: ['shell-rest'], foreign: 'scripts of the project', unlisted: 'ignore' },
      '*': { foreign: 'an environment of the project', unlisted: 'ignore' },
    },
  },
  { names: 'supervisord circusd runsvdir s6-svscan', foreign: 'programs that its settings name', unlisted: 'ignore' },
]
