import { cut, nameOf, runsShell } from './arg-parts.js'
import type { Arg, Call, Effect } from './knowledge.js'

const APT_RUNS =
  /(?:Invoke(?:-Success)?|Pre-Install-Pkgs|Options|Shell|NoLocking|Bin::[\w-]*|Pager|Tools::[\w-]*|Solver|Proxy-Auto-Detect|ProxyAutoDetect)(?:::)?$/i

/** `apt -o APT::Update::Pre-Invoke::=command`, and whatever else of its settings names a program. */
export function aptSettings({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    if ((name !== '-o' && name !== '--option') || !value) return []
    const pair = cut(value, '=')
    if (!pair)
      return value.text === null ? [{ does: 'unknown', reason: 'a setting of apt is not known', at: value.span }] : []
    const [key, setting] = pair
    if (/Options(?:::)?$/i.test(key)) return []
    if (APT_RUNS.test(key)) return [runsShell(setting, `apt ${key}`)]
    return /^Dir\b|Config/i.test(key)
      ? [{ does: 'foreign', reason: `apt takes programs or settings from ${key}`, at: value.span }]
      : []
  })
}

/** rpm macros: `%(command)` is run by a shell, `%{lua:…}` is code. */
export function rpmMacros({ argv }: Call): readonly Effect[] {
  return argv.flatMap((arg): readonly Effect[] => {
    const found = /%\(([^()]*)\)/.exec(arg.head)
    if (found) return [runsShell({ ...arg, text: found[1] ?? '', head: found[1] ?? '' }, 'rpm %()')]
    return /%\{lua:/.test(arg.head) ? [{ does: 'foreign', reason: 'rpm runs Lua code', at: arg.span }] : []
  })
}

/** Settings of npm that name a program. */
const RUNNING_SETTING = /^(?:script-?shell|shell|editor|git|browser|viewer)$/i

/** `npm config set script-shell PROGRAM`, `npm pkg set scripts.x=COMMAND`: what a later run will do. */
export function npmSettings({ operands }: Call): readonly Effect[] {
  return operands.flatMap((arg, i): readonly Effect[] => {
    const pair = cut(arg, '=')
    if (pair && /^scripts\./.test(pair[0])) return [runsShell(pair[1], 'npm script')]
    const program = pair ? (RUNNING_SETTING.test(pair[0]) ? pair[1] : null) : isRunning(arg) ? operands[i + 1] : null
    return program ? [{ does: 'run', argv: [program], via: 'npm config', more: true }] : []
  })
}

const isRunning = (arg: Arg): boolean => RUNNING_SETTING.test(arg.text ?? '')

/** The words after `--`, or else the operands but the first few, as a command. */
export function commandAfter(call: Call, skipped: number): readonly Effect[] {
  const { argv, operands } = call
  const dashes = argv.findIndex((arg) => arg.text === '--')
  const command = dashes >= 0 ? argv.slice(dashes + 1) : operands.slice(skipped)
  return command.length > 0 ? [{ does: 'run', argv: command, via: nameOf(call) }] : []
}

/** `dotenv -f file -- command`: without a word that says so, what stands behind the dashes is run. */
export const afterDashes = (call: Call): readonly Effect[] =>
  call.argv.some((arg) => arg.text === '--') && !/^(?:exec|run|x)$/.test(call.argv[1]?.text ?? '')
    ? commandAfter(call, 0)
    : []
