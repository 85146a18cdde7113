import { cut, nameOf, runsShell } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

const APT_RUNS =
  /(?:Invoke(?:-Success)?|Pre-Install-Pkgs|Options|Shell|NoLocking|Bin::[\w-]*|Pager|Tools::[\w-]*|Solver|Proxy-Auto-Detect|ProxyAutoDetect)(?:::)?$/i

/** `apt -o APT::Update::Pre-Invoke::=command` and other settings that name a program. */
export function aptSettings({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    if ((name !== '-o' && name !== '--option') || !value) return []
    const pair = cut(value, '=')
    if (!pair)
      return value.text === null ? [{ does: 'unknown', reason: 'an apt setting is unknown', at: value.span }] : []
    const [key, setting] = pair
    if (/Options(?:::)?$/i.test(key)) return []
    if (APT_RUNS.test(key)) return [runsShell(setting, `apt ${key}`)]
    return /^Dir\b|Config/i.test(key)
      ? [{ does: 'foreign', reason: `apt reads programs or settings from ${key}`, at: value.span }]
      : []
  })
}

/** rpm macros: a shell runs `%(command)`, and `%{lua:…}` is code. */
export function rpmMacros({ argv }: Call): readonly Effect[] {
  return argv.flatMap((arg): readonly Effect[] => {
    const found = /%\(([^()]*)\)/.exec(arg.prefix)
    if (found) return [runsShell({ ...arg, text: found[1] ?? '', prefix: found[1] ?? '' }, 'rpm %()')]
    return /%\{lua:/.test(arg.prefix) ? [{ does: 'foreign', reason: 'rpm runs Lua code', at: arg.span }] : []
  })
}

/** Settings of npm that name a program. */
const RUNNING_SETTING = /^(?:script-?shell|shell|editor|git|browser|viewer)$/i

/** `npm config set script-shell PROGRAM`, `npm pkg set scripts.x=COMMAND`: sets what a later call runs. */
export function npmSettings({ operands }: Call): readonly Effect[] {
  return operands.flatMap((arg, i): readonly Effect[] => {
    const pair = cut(arg, '=')
    if (pair && /^scripts\./.test(pair[0])) return [runsShell(pair[1], 'npm script')]
    const program = pair ? (RUNNING_SETTING.test(pair[0]) ? pair[1] : null) : isRunning(arg) ? operands[i + 1] : null
    return program ? [{ does: 'run', argv: [program], via: 'npm config', more: true }] : []
  })
}

const isRunning = (arg: Arg): boolean => RUNNING_SETTING.test(arg.text ?? '')

/** Returns the command after `--`, or else after the first operands. */
export function commandAfter(call: Call, skipped: number): readonly Effect[] {
  const { argv, operands } = call
  const dashes = argv.findIndex((arg) => arg.text === '--')
  const command = dashes >= 0 ? argv.slice(dashes + 1) : operands.slice(skipped)
  return command.length > 0 ? [{ does: 'run', argv: command, via: nameOf(call) }] : []
}

/** `dotenv -f file -- command` runs the words after the dashes. */
export const afterDashes = (call: Call): readonly Effect[] =>
  call.argv.some((arg) => arg.text === '--') && !/^(?:exec|run|x)$/.test(call.argv[1]?.text ?? '')
    ? commandAfter(call, 0)
    : []
