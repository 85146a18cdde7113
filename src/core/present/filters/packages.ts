import { detail, type Filter, progress, proposeBy } from './filter.js'
import { proposeForTests } from './test-runs.js'

const TOOLS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const TEST_SCRIPTS = /^(?:test|tst|t|test:.*|test-.*|check|ci)$/
/** Subcommands whose output is an answer. */
const ANSWERS = new Set('ls list ll view info show outdated audit config why explain query search exec pkg'.split(' '))

const propose = proposeBy([
  [/^npm (?:http fetch|http cache|timing|sill|verb)\b/, progress('npm progress')],
  [/^[⠁-⣿◐◓◑◒|/\\-](?:\s|$)/u, progress('spinner states')],
  [/^Progress: resolved \d/, progress('install progress')],
  [/^\[\d+\/\d+\] /, progress('install progress')],
  [/^\d+ packages? (?:are|is) looking for funding$/, detail('package manager notices')],
  [/^\s+run `npm fund` for details$/, detail('package manager notices')],
  [/^npm notice(?: |$)/, detail('package manager notices')],
  [/^Packages: \+\d+(?: -\d+)?$/, detail('package manager notices')],
])

export const packages: Filter = {
  name: 'npm',
  matches: ([program = '', ...args]) => TOOLS.has(program) && !ANSWERS.has(args.find((a) => !a.startsWith('-')) ?? ''),
  propose: (lines, argv) => {
    const tests = runsTestScript(argv)
    return lines.map((line) => propose(line) ?? (tests ? proposeForTests(line) : null))
  },
  recognises: (lines) =>
    lines.some((line) => /^(?:added|removed|changed|up to date|> \S+@\S+ \S+|Done in |audited )/.test(line)),
}

/** `npm test`, `npm run test:unit`, `yarn test`. */
function runsTestScript(argv: readonly string[]): boolean {
  const words = argv.slice(1).filter((arg) => !arg.startsWith('-'))
  const script = words[0] === 'run' || words[0] === 'run-script' ? words[1] : words[0]
  return script !== undefined && TEST_SCRIPTS.test(script)
}
