import { without } from '../grammar/arguments.js'
import { after, foreign, nameOf, runsShell } from '../grammar/effect-builders.js'
import { splitWords } from '../grammar/effects-of.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

const GDB_SHELL = /^\s*(?:!|shell|she|make|(?:pipe|\|)[^|]*\|)\s*/
/** Debugger commands. A shell runs `shell …` and `!…`. */
function debuggerCommands(call: Call): readonly Effect[] {
  const commands = call.options.flatMap((o) =>
    /^(?:-ex|--ex|-iex|--eval-command|--init-eval-command|-o|-O|--one-line)$/.test(o.name) && o.value ? [o.value] : [],
  )
  return commands.flatMap((command): readonly Effect[] => {
    const found = GDB_SHELL.exec(command.prefix)
    const code = foreign('a command for the debugger', command)
    return found ? [runsShell(without(command, found[0].length), 'gdb shell'), code] : [code]
  })
}

/** `gdb --args PROGRAM ARGS…`, `lldb -- PROGRAM ARGS…`. */
function debugged(call: Call): readonly Effect[] {
  const { argv } = call
  const at = argv.findIndex((arg) => /^(?:--?args|--)$/.test(arg.text ?? ''))
  const command = at < 0 ? [] : argv.slice(at + 1)
  return command.length > 0
    ? [{ does: 'run', argv: command, via: nameOf(call) }]
    : [foreign('commands on its standard input')]
}

const TMUX_RUNS =
  /^(?:new(?:-session|-window)?|neww|split-window|splitw|respawn-(?:pane|window)|respawn[pw]|popup|display-popup|run-shell|run|if-shell|if|pipe-pane|pipep)$/
/** Options with a value, by kind of tmux command. */
const TMUX_VALUES: readonly (readonly [RegExp, RegExp])[] = [
  [/^new(?:-session)?$/, /^-[a-zA-Z]*[ceFfnstxy]$/],
  [/^(?:run-shell|run)$/, /^-[a-zA-Z]*[cdt]$/],
  [/popup$/, /^-[a-zA-Z]*[bcdehsStTwxy]$/],
  [/./, /^-[a-zA-Z]*[ceFlnpt]$/],
]

/** tmux commands separated by `;`. Those that open a window or run a shell take a command. */
export function tmuxEffects({ operands }: Pick<Call, 'operands'>): readonly Effect[] {
  const effects: Effect[] = []
  for (let i = 0; i < operands.length; ) {
    const end = operands.findIndex((arg, at) => at >= i && arg.text === ';')
    const words = operands.slice(i, end < 0 ? undefined : end)
    i = end < 0 ? operands.length : end + 1
    const [verb, ...rest] = words
    if (verb?.text && TMUX_RUNS.test(verb.text)) effects.push(...tmuxCommand(verb.text, rest))
    else if (/^(?:set(?:-option|-window-option)?|setw)$/.test(verb?.text ?? '')) effects.push(...tmuxSetting(rest))
    else if (
      /^(?:confirm(?:-before)?|command-prompt|set-hook|bind(?:-key)?)$/.test(verb?.text ?? '') &&
      rest.length > 0
    )
      effects.push(
        ...rest.flatMap((arg) =>
          arg.text?.includes(' ') ? [...nestedTmux(arg), runsShell(arg, `tmux ${verb?.text}`)] : [],
        ),
        foreign('keys and commands for tmux'),
      )
    else if (/^(?:send-keys|send|source-file|source|copy-pipe\S*)$/.test(verb?.text ?? ''))
      effects.push(
        ...rest.flatMap((arg) => (arg.text?.includes(' ') ? [runsShell(arg, `tmux ${verb?.text}`)] : [])),
        foreign('keys and commands for tmux'),
      )
  }
  return effects
}

/** Returns the effects of a tmux command in one argument. */
const nestedTmux = (arg: Arg): readonly Effect[] => tmuxEffects({ operands: splitWords(arg) })

/** `set -g default-command COMMAND`: the command of every new window. */
function tmuxSetting(words: readonly Arg[]): readonly Effect[] {
  const at = words.findIndex((arg) =>
    /^(?:default-(?:command|shell)|lock-command|editor|copy-command)$/.test(arg.text ?? ''),
  )
  const value = at < 0 ? undefined : words[at + 1]
  const run = words.flatMap((arg) => {
    const found = /#\(([^)]*)\)/.exec(arg.text ?? '')
    return found ? [runsShell({ ...arg, text: found[1] ?? '', prefix: found[1] ?? '' }, 'tmux #()')] : []
  })
  return value ? [...run, runsShell(value, 'tmux set'), foreign('a session that continues after the command')] : run
}

function tmuxCommand(verb: string, words: readonly Arg[]): readonly Effect[] {
  const operands: Arg[] = []
  const withValue = TMUX_VALUES.find(([verbs]) => verbs.test(verb))?.[1] ?? /(?!)/
  for (let i = 0; i < words.length; i++) {
    const arg = words[i] as Arg
    if (operands.length === 0 && withValue.test(arg.prefix)) i++
    else if (operands.length > 0 || !arg.prefix.startsWith('-')) operands.push(arg)
  }
  const [first, ...rest] = operands
  if (!first) return [foreign('tmux starts a shell')]
  const conditional = /^if/.test(verb) ? rest.map((arg) => runsShell(arg, `tmux ${verb}`)) : []
  const whole = /^if/.test(verb) || rest.length === 0
  return [
    ...conditional,
    whole ? runsShell(first, `tmux ${verb}`) : { does: 'run', argv: operands, via: `tmux ${verb}` },
    foreign('a session that continues after the command'),
  ]
}

/** `capsh -- ARGS` passes them to bash; `--shell=` names another shell. */
export function capshEffects({ argv }: Call): readonly Effect[] {
  const at = argv.findIndex((arg) => arg.text === '--' || arg.text === '==')
  const shell = argv.map((arg) => after(arg, '--shell=')).find((arg) => arg !== null)
  if (at < 0) return []
  const name = shell ?? { text: 'bash', prefix: 'bash', maySplit: false, span: argv[at]?.span ?? [0, 0] }
  return [{ does: 'run', argv: [name, ...argv.slice(at + 1)], via: 'capsh' }]
}

/** Terminals and profilers that run a command after `-e` or `--`. */
export function commandAfterDash(call: Call): readonly Effect[] {
  const { argv } = call
  const program = nameOf(call)
  const at = argv.findIndex((arg) => /^(?:-e|-x|--|--command|--execute)$/.test(arg.text ?? ''))
  const joined = argv.map((arg) => after(arg, '--command=')).find((arg) => arg !== null)
  if (joined) return [runsShell(joined, program)]
  const words = at < 0 ? [] : argv.slice(at + 1)
  const [first] = words
  if (!first) return [foreign('a terminal with a shell')]
  return words.length === 1 ? [runsShell(first, program)] : [{ does: 'run', argv: words, via: program }]
}

const BWRAP_TWO =
  /^--(?:(?:ro-|dev-)?bind(?:-try|-data|-fd)?|ro-bind-data|ro-bind-fd|file|bind-data|symlink|setenv|chmod|overlay|overlay-src|tmp-overlay|ro-overlay)$/

export function bubblewrapped({ argv }: Call): readonly Effect[] {
  for (let i = 1; i < argv.length; i++) {
    const head = argv[i]?.prefix ?? ''
    if (head === '--') return argv.length > i + 1 ? [{ does: 'run', argv: argv.slice(i + 1), via: 'bwrap' }] : []
    if (BWRAP_TWO.test(head)) i += 2
    else if (
      /^--(?:unshare-|share-net|new-session|die-with-parent|as-pid-1|clearenv|disable-userns|assert-userns)/.test(head)
    )
      continue
    else if (head.startsWith('--')) i++
    else return [{ does: 'run', argv: argv.slice(i), via: 'bwrap' }]
  }
  return []
}

export function afterDashes(call: Call): readonly Effect[] {
  const { argv, operands } = call
  const at = argv.findIndex((arg) => arg.text === '--')
  const words = at < 0 ? operands : argv.slice(at + 1)
  return words.length > 0 ? [{ does: 'run', argv: words, via: nameOf(call) }] : []
}

/** Debuggers: their commands, and the program to debug. */
export const debuggerEffects = (call: Call): readonly Effect[] => [...debuggerCommands(call), ...debugged(call)]
