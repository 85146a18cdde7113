import { baseName } from '../../../model/basics/path.js'
import { known } from '../grammar/arguments.js'
import type { Arg, Call, Effect, Family } from '../grammar/roles.js'

/** Parses a Bourne shell's options: `-c` can be bundled (`-euxc`); the first operand is the text or script. */
function shellEffects(call: Call): readonly Effect[] {
  const via = baseName(call.program)
  const effects: Effect[] = []
  const operands: Arg[] = []
  let fromText = false
  let fromStdin = false
  let onlyReads = false
  const { argv } = call
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    if (arg.text === null && arg.prefix === '') {
      if (onlyReads && isNoOption(arg)) {
        operands.push(...argv.slice(i))
        break
      }
      effects.push({ does: 'unknown', reason: `an argument of ${via} is unknown`, at: arg.span })
      operands.push(...argv.slice(i))
      break
    }
    const text = arg.text ?? arg.prefix
    if (text === '--' || text === '-') {
      operands.push(...argv.slice(i + 1))
      break
    }
    if (text.startsWith('--')) {
      if (/^--(rcfile|init-file)$/.test(text)) {
        const file = argv[++i]
        if (file) effects.push({ does: 'script', path: file, args: [], via: `${via} ${text}` })
      }
      if (/^--(help|version|dump-(po-)?strings)$/.test(text)) return effects
      continue
    }
    if (!/^[-+]./.test(text)) {
      operands.push(...argv.slice(i))
      break
    }
    if (text.startsWith('-')) {
      fromText ||= text.includes('c')
      fromStdin ||= text.includes('s')
      if (text.includes('k'))
        effects.push({ does: 'unknown', reason: `${via} -k treats arguments as assignments`, at: arg.span })
    }
    onlyReads = (onlyReads || /^-[a-z]*n[a-z]*$/.test(text)) && !/i|^\+/.test(text)
    for (const letter of text.slice(1))
      if ((letter === 'o' || letter === 'O') && argv[++i]?.text === 'keyword')
        effects.push({ does: 'unknown', reason: `${via} -o keyword treats arguments as assignments`, at: arg.span })
  }
  // With -n bash only checks the syntax of a script.
  if (onlyReads && !fromText && !fromStdin && operands[0])
    return [...effects, { does: 'read', path: operands[0], recursive: false }]
  return [...effects, ...bodyEffects({ via, call, operands, fromText, fromStdin })]
}

const isNoOption = (arg: Arg): boolean => arg.isFound === true || /^[\w./~]/.test(arg.unknown?.glob ?? '')

function bodyEffects(shell: {
  readonly via: string
  readonly call: Call
  readonly operands: readonly Arg[]
  readonly fromText: boolean
  readonly fromStdin: boolean
}): readonly Effect[] {
  const [first, ...rest] = shell.operands
  const name: Arg = known(shell.via, shell.call.argv[0]?.span ?? [0, 0])
  if (shell.fromText)
    return first ? [{ does: 'shell', text: first, args: rest.length > 0 ? rest : [name], via: `${shell.via} -c` }] : []
  if (shell.fromStdin || !first) return [{ does: 'shell-stdin', via: shell.via, args: [name, ...shell.operands] }]
  return [{ does: 'script', path: first, args: rest, via: shell.via }]
}

/** Shells other than Bourne's. Their text after -c is analysed as bash only where both agree. */
function otherShell(call: Call): readonly Effect[] {
  const index = call.argv.findIndex((arg) => /^-[a-zA-Z]*c$/.test(arg.text ?? ''))
  const text = index < 0 ? undefined : call.argv[index + 1]
  const via = baseName(call.program)
  const foreign: Effect = { does: 'foreign', reason: `${via} does not run bash code` }
  return text ? [{ does: 'shell', text, via: `${via} -c` }, foreign] : [foreign]
}

/** Shells. They parse their own command lines, so the table holds only the hooks. */
export const shells: Family = [
  {
    names: 'bash sh dash ash rbash zsh ksh ksh93 mksh yash posh oksh lksh hush',
    permute: false,
    writesOnlyNamedPaths: true,
    effects: shellEffects,
  },
  { names: 'fish csh tcsh nu nushell elvish xonsh pwsh powershell rc es', effects: otherShell },
]
