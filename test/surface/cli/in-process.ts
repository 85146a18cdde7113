import { Readable, Writable } from 'node:stream'
import type { CheckResult } from '../../../src/engine/api.js'
import { main } from '../../../src/surface/cli/main.js'
import type { CliDependencies, CliEngine } from '../../../src/surface/cli/terminal/dependencies.js'
import type { Io, Screen } from '../../../src/surface/cli/terminal/io.js'

export interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export interface InProcess {
  readonly engine?: Partial<CliEngine>
  readonly stdin?: string | Readable
  readonly env?: Readonly<Record<string, string>>
  readonly tty?: boolean
  /** Called once with a function that plays Ctrl-C. */
  readonly whenListening?: (interrupt: () => void) => void
  readonly allow?: CliDependencies['allow']
  readonly serveMcp?: CliDependencies['serveMcp']
}

/** A stream that keeps what is written to it. */
export function collector(isTTY: boolean): Screen & { text(): string } {
  const chunks: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY, columns: 80, text: () => chunks.join('') })
}

const unasked = (name: string) => (): never => {
  throw new Error(`${name} was not expected to be asked`)
}

/** The command line inside this process, over an engine of which a test gives the parts it needs. */
export async function cordon(argv: readonly string[], setting: InProcess = {}): Promise<Ran> {
  const stdout = collector(setting.tty ?? false)
  const stderr = collector(setting.tty ?? false)
  const stdin = setting.stdin instanceof Readable ? setting.stdin : Readable.from([Buffer.from(setting.stdin ?? '')])
  const io: Io = {
    stdin: Object.assign(stdin, { isTTY: setting.tty ?? false }),
    stdout,
    stderr,
    env: setting.env ?? {},
    cwd: '/workspace',
    version: '1.2.3',
    hasOneOutput: false,
    isForeground: () => true,
    onInterrupt(listener) {
      setting.whenListening?.(() => listener('SIGINT'))
      return () => {}
    },
  }
  const dependencies: CliDependencies = {
    openEngine: async () => ({ ...noEngine, ...setting.engine }),
    allow: setting.allow ?? unasked('allow'),
    agentChanges: unasked('init'),
    examineAgents: unasked('doctor --agents'),
    serveMcp: setting.serveMcp ?? unasked('mcp'),
  }
  const status = await main(argv, io, dependencies)
  return { status, stdout: stdout.text(), stderr: stderr.text() }
}

const noEngine: CliEngine = {
  run: unasked('run'),
  check: unasked('check'),
  authorize: unasked('authorize'),
  authorizeFiles: unasked('authorizeFiles'),
  sequence: unasked('sequence'),
  mustSucceed: unasked('mustSucceed'),
  runMarkdown: unasked('runMarkdown'),
  start: unasked('start'),
  env: { set: unasked('env'), get: unasked('env'), clear: unasked('env') },
  tasks: { list: unasked('tasks'), get: unasked('tasks') },
  status: unasked('status'),
  endAgent: unasked('endAgent'),
  recordCall: unasked('recordCall'),
  transactions: {
    here: () => '/workspace',
    history: unasked('transactions'),
    get: unasked('transactions'),
    diff: unasked('transactions'),
    undo: unasked('transactions'),
    settle: unasked('transactions'),
    recover: unasked('transactions'),
  },
  approvals: { list: unasked('approvals'), answer: unasked('approvals') },
  audit: { query: unasked('audit'), records: unasked('audit'), verify: unasked('audit') },
  logs: unasked('logs'),
  profiles: {
    list: unasked('profiles'),
    get: unasked('profiles'),
    replay: unasked('profiles'),
    lint: unasked('profiles'),
  },
  close: async () => {},
  homes: { list: unasked('homes'), reset: unasked('homes') },
  doctor: unasked('doctor'),
}

/** The engine's answer to `echo hi && sudo id`. */
export function sampleCheckResult(over: Partial<CheckResult> = {}): CheckResult {
  const sudo = {
    rule: 'builtin/sudo',
    verdict: 'deny',
    span: [11, 18],
    reason: 'Command not allowed: sudo',
    instead: 'Run it without root.',
    program: 'sudo',
  } as const
  return {
    verdict: 'deny',
    because: [sudo],
    decision: { verdict: 'deny', because: [sudo], matches: [sudo] },
    facts: {
      invocations: [
        { program: 'echo', argv: ['echo', 'hi'], span: [0, 7], via: [] },
        { program: 'sudo', argv: ['sudo', 'id'], span: [11, 18], via: [] },
        { program: 'id', argv: ['id'], span: [16, 18], via: ['sudo'] },
      ],
      reads: [],
      writes: [],
      deletes: [],
      hosts: [],
      environment: [],
      shapes: [],
      writesAnything: false,
      opaque: [],
    },
    plan: null,
    rule: null,
    unenforceable: null,
    text: 'echo hi && sudo id',
    ...over,
  }
}
