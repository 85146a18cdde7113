// Writes docs/conformance.md: every requirement with the tests that fail without it. Usage:
// node script/conformance-page.mjs [--check]. Fails for a test that is not there; --check also for a page that is old.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../test/conformance')
const PAGE = join(import.meta.dirname, '../docs/conformance.md')

/** Id, requirement, and its tests: the beginning of a file's name and a part of the test's name. */
const REQUIREMENTS = [
  [
    'Q1',
    'A program with an array of arguments runs without a shell; arguments are never converted',
    '000: %s is passed on as a literal',
    '000: refuse arguments given as %s instead of converting',
  ],
  [
    'Q2',
    'A script runs as `bash -c` runs it, and a profile can switch that off',
    '001: runs pipelines and redirects',
    '001: switched off, it names the setting',
  ],
  [
    'Q3',
    'A program is a bare name unless the profile allows paths',
    '000: refuse a command line in place of a program',
    '000: a path to an allowed program runs where',
  ],
  [
    'Q4',
    'The working directory lies in the allowed roots, and each failure has its own error',
    '003: a working directory outside is refused in any spelling',
    '000: a link that stays inside the workspace',
    'pure: resolves symlinks and refuses what lies outside',
  ],
  [
    'Q5',
    'Timeouts are limited, no timeout needs permission; stdin and variables are optional',
    '001: is raised to a second and lowered',
    '001: cannot be switched off where',
    'records: a timeout of none that the profile forbids',
    '003: reads nothing from stdin unless',
  ],
  [
    'Q6',
    'Sequences stop at the first failure and return all results; a variant must succeed',
    '003: run in order and stop at the first that fails',
    'many: a refused or held command of a sequence keeps',
    'many: mustSucceed throws the code that fits',
  ],
  [
    'Q7',
    'The bash blocks of a reply run in order, with one summary',
    '002: a reply without a bash block runs nothing',
    'many: runs blocks in block quotes and list items',
    'many: several held blocks are approved one by one',
  ],
  [
    'Q8',
    'Quoting and building commands are exported',
    'pure: an argument is always quoted',
    'pure: every other name and every argument reach the program',
  ],
  [
    'Q9',
    'Empty, malformed and oversized requests and unknown fields are clear errors',
    '001: a blank command (%j) is refused',
    '001: refuses a NUL byte anywhere',
    'policy: an unknown option of a call names the nearest',
    '000: that make no sense (%j) give a clear error',
  ],
  [
    'Q10',
    'Profile `strict` refuses metacharacters and `..` in arguments',
    '001: refuses the metacharacters of %j under strict',
    '001: refuses `..` in an argument under strict',
    '001: takes the same arguments as literals elsewhere',
  ],
  [
    'A1',
    'Commands are read from a syntax tree; text that is data is no command',
    '002: %s is only text or ordinary work, and allowed',
    '002: the blocklist finds a denied program behind %s',
  ],
  ['A2', 'Words are read as bash reads them', '002: letter case does not hide a program', '002: %s runs %s'],
  [
    'A3',
    'Wrappers are seen through to what they run',
    '002: the blocklist finds a denied program behind %s',
    '002: %s -c is looked into',
  ],
  [
    'A4',
    'Variables, `eval` and input to a shell are followed, or reported as opaque',
    '002: %s runs %s',
    '002: cannot be known, and is reported as hidden with a reason',
  ],
  [
    'A5',
    'Facts name programs, paths, hosts, writes and opaque spots',
    '002: a write outside the allowed roots does not pass',
    '002: a script in a file is read',
    '002: a command that only reads is not secured',
  ],
  ['A6', 'Code of other languages is named as foreign', '002: %s -c is looked into, or held as unreadable'],
  [
    'D1',
    'Decisions are allow, ask or deny, with rule, span and reason',
    '002: is blocked by default, and the message begins',
    'records: a roll-back, a filter and the rule of a refusal',
    'policy: a profile given as an object decides',
  ],
  [
    'D2',
    'Built-in denials hold until a profile removes them by name',
    '000: %s is refused in any letter case',
    '003: validation blocks the command %s',
    '002: a built-in block can be taken out by its name',
  ],
  ['D3', 'Network programs are denied without the network', '002: network programs are let in where'],
  [
    'D4',
    'An allowlist names the program and the list; patterns can be added',
    '001: refuses a program that is not listed, naming it',
    '002: a profile can block more programs',
    'policy: a request can block more commands',
  ],
  [
    'D5',
    'Permissions are per agent',
    '001: an agent runs the programs of its list',
    '001: a caller without a name has its own default profile',
    'records: an agent that may not use a program is named',
  ],
  [
    'D6',
    'Permission rules match action strings',
    '004: sees the whole command as an action string',
    '002: no permission lifts a block',
  ],
  [
    'D7',
    'A held command runs only with an approval of exactly its plan',
    '002: what was confirmed is what runs',
    '002: a confirmed command runs once',
    'tools: a held call carries its approval',
  ],
  [
    'D8',
    'Paths lie in the roots after symlinks; secret places are hidden',
    '002: secret places are refused even for reading',
    '002: a link out of the workspace is followed',
  ],
  [
    'D9',
    'A denied or held command starts nothing and is recorded',
    '000: a refused program starts nothing and is recorded',
    '002: holds what a pattern names, and runs nothing',
  ],
  ['E1', 'Commands run in a sandbox', '002: the sandbox stops what the analyser cannot see'],
  [
    'E2',
    'The environment is a list, and secrets of the parent are not in it',
    '001: holds the known variables, a dumb terminal',
    '002: variables with a blocked prefix are stripped',
    'policy: sticky variables are set for every later request',
  ],
  [
    'E3',
    'A timeout ends the whole tree: SIGTERM, a grace period, SIGKILL',
    '000: kills what does not listen',
    '004: is SIGTERM, a grace of two seconds, then SIGKILL',
    '000: is 30 seconds unless',
    '001: is 120 seconds for a script',
  ],
  [
    'E4',
    'A cancel ends the whole tree with code 130',
    '002: a token that is cancelled kills the tree',
    '003: ends the whole tree and leaves nothing',
  ],
  [
    'E5',
    'Streams are captured apart and in order; a failure is a result',
    '002: both streams are kept apart and shown in the order',
    "003: a result has the command's exit code",
    '004: binary output does not fail the call',
  ],
  [
    'E6',
    'Memory is bounded; the tail is kept with a header',
    '003: the size of the output is bounded',
    '004: is 50,000 characters unless',
    'defaults: ten mebibytes of a stream are captured',
  ],
  [
    'E7',
    'A background child that holds the pipes does not hang the caller',
    'defaults: a background child that keeps the output open',
  ],
  ['E8', 'Limits on memory, processes and time contain a command', 'many: mustSucceed throws the code of a limit'],
  ['E9', 'Many commands run at once', '003: does not block: several commands'],
  [
    'E10',
    'Background commands are started, listed, polled, given input and stopped',
    'tools: a task shows its command as a person would type it',
    'tools: the pid of a task is that of a process',
    'tools: endAgent needs a name',
  ],
  [
    'T1',
    'A transaction restores every file after a failure',
    '002: a failing command leaves every file as it was',
    '002: a timeout and a cancel roll back',
  ],
  [
    'T2',
    'Scope, size limit and a required snapshot',
    '002: scope globs say what is secured',
    '002: what cannot be secured is refused where',
  ],
  [
    'T3',
    'Changes can be reviewed, and undone later',
    '002: in review a command waits',
    'policy: a request can hold its changes for review',
  ],
  [
    'S1',
    'A result says everything, with the documented JSON names',
    '000: as JSON with the names stdout, stderr and exit_code',
    'records: the wire form names rules that spoke',
    '004: runs a simple command and says everything about it',
  ],
  [
    'S2',
    'The text for a model is small',
    'records: the text of a plain success is its output alone',
    '001: of a failure ends with the code',
    '001: the text form shows long times in minutes',
  ],
  [
    'S3',
    'Errors are typed, with category, domain and phase',
    '002: an error result has its category: %s',
    '002: a blocked command carries category, domain and phase',
    'many: an onApproval that throws refuses the command',
  ],
  [
    'S4',
    'Output is cleaned and filtered, and a failure is never hidden',
    '002: terminal escapes are removed',
    '002: a filter cuts noise, counts what it cut',
  ],
  [
    'S5',
    'Events tell what happens while a command runs',
    '002: tell of the start, every chunk with its stream',
    'tools: every event names the agent and the tool',
  ],
  [
    'G1',
    'Tools have a name, label, description, schema and function; both spellings work',
    '000: it is listed and its definition is ready',
    'tools: execute of a tool validates, understands both spellings',
  ],
  [
    'G2',
    'The registry validates, refuses duplicates and records every call',
    '000: a second tool of the same name is refused',
    'tools: a call that is %s is recorded once',
    'policy: %j is refused at construction',
  ],
  [
    'G3',
    'Path validation is one unit that own tools can use',
    'pure: resolves symlinks and refuses what lies outside',
    'tools: a tool of one’s own is validated, recorded',
  ],
  [
    'L1',
    'Every request leaves one record that can be queried',
    '002: %s is one record with outcome %s',
    'records: the audit log is asked by time, outcome and tool',
    '002: the chain of records verifies',
  ],
  [
    'L2',
    'Log lines are structured, short and without secrets',
    '001: log lines show the mode and at most 200 characters',
    'defaults: secrets are masked in the log and in the audit log',
  ],
]

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'))
const texts = new Map(files.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))

/** The whole name of the test, and the file it is in. */
function found(test) {
  const [prefix, part] = test.split(/: (.*)/s)
  const file = files.find((name) => name.startsWith(prefix))
  const text = texts.get(file) ?? ''
  const at = text.indexOf(part)
  const from = Math.max(...["'", '`', '"'].map((quote) => text.lastIndexOf(quote, at - 1)))
  const to = text.indexOf(text[from], at + part.length)
  const name = at < 0 ? '' : text.slice(from + 1, to)
  if (name === '' || name.includes('\n')) throw new Error(`docs/conformance.md: no test "${part}" in ${file ?? prefix}`)
  return { file, name }
}

const entry = ([id, requirement, ...tests]) => {
  const lines = tests.map(found).map(({ file, name }) => `  - \`${file.replace('.test.ts', '')}\`: ${name}`)
  return [`- **${id}** ${requirement}.`, ...lines].join('\n')
}

const page = `# Conformance

Cordon does what five earlier systems did. Each entry is one of their requirements, in our words, with tests of
\`test/conformance\` that fail without it. \`node script/conformance-page.mjs\` writes this page, and a test
compares it.

${REQUIREMENTS.map(entry).join('\n')}
`

if (!process.argv.includes('--check')) writeFileSync(PAGE, page)
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/conformance.md is old. Run node script/conformance-page.mjs.')
  process.exit(1)
}
