import { Writable } from 'node:stream'
import { parseConfig } from '../../src/core/git/config-syntax.js'
import { revertSettings } from '../../src/core/git/revert-settings.js'
import { CordonError } from '../../src/core/model/basics/errors.js'
import { settingsSchema } from '../../src/core/model/policy/settings.js'
import { configuredPaths } from '../../src/host/git/configured-paths.js'
import { readIndex } from '../../src/host/git/read-index.js'
import { parseAttributes } from '../../src/host/helper-scripts/attributes-protocol.js'
import { formatNetworkOrder, parseNetworkMessage } from '../../src/host/helper-scripts/network-protocol.js'
import { parseZygoteAnswer, parseZygoteReport } from '../../src/host/helper-scripts/zygote-protocol.js'
import { parseHoldAnswer } from '../../src/host/launch/lifecycle/hold-answer.js'
import { NameServer } from '../../src/host/launch/network/dns-server.js'
import { ListedNames } from '../../src/host/launch/network/listed-names.js'
import { parseProxyHead } from '../../src/host/launch/network/proxy-head.js'
import { namesInHosts, resolverSettings } from '../../src/host/launch/network/resolver-settings.js'
import { StatusReport } from '../../src/host/launch/sandbox/status-report.js'
import { parseSettings } from '../../src/host/settings/parse-settings.js'
import { parseLayersAnswer } from '../../src/host/transaction/overlay/layers-answer.js'
import { framed, lastFrame } from '../../src/host/transaction/undo-store/journal-frame.js'
import { answerHook, type HookEngine } from '../../src/surface/hook/answer-hook.js'
import { HOOK_AGENTS } from '../../src/surface/hook/dialects/dialect-of.js'
import { RequestGuard } from '../../src/surface/mcp/guard-requests.js'
import { fc } from '../property.js'
import {
  anyBytes,
  editSettings,
  openForged,
  SETTINGS_PIECES,
  SETTINGS_TEXTS,
  SHELL_PIECES,
  SHELL_TEXTS,
  unwrap,
} from './agent-targets.js'

/** A parser of bytes that another party controls. It must not throw, and must be quick. */
interface Target {
  readonly inputs: fc.Arbitrary<Uint8Array>
  readonly parse: (bytes: Buffer) => unknown
}

/** Bytes at random, pieces of what the parser knows in any order, and a valid text with a few bytes changed. */
function inputsLike(
  valid: readonly (string | Buffer)[],
  pieces: readonly (string | Buffer)[],
): fc.Arbitrary<Uint8Array> {
  const known = [...valid, ...pieces].map((piece) => Buffer.from(piece))
  const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
  const piece = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: noise })
  const mixed = fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.concat(parts))
  const change = fc.tuple(fc.nat(), fc.nat(255), fc.constantFrom('put', 'cut', 'repeat'))
  const changed = fc
    .tuple(fc.constantFrom(...valid.map((text) => Buffer.from(text))), fc.array(change, { maxLength: 8 }))
    .map(([text, changes]) =>
      changes.reduce<Buffer>((bytes, [at, byte, how]) => changedAt(bytes, at % (bytes.length + 1), byte, how), text),
    )
  return fc.oneof(noise, mixed, changed)
}

function changedAt(bytes: Buffer, at: number, byte: number, how: string): Buffer {
  const rest =
    how === 'repeat' ? Buffer.concat([bytes.subarray(at, at + byte), bytes.subarray(at)]) : bytes.subarray(at + 1)
  return Buffer.concat([bytes.subarray(0, at), ...(how === 'put' ? [Buffer.from([byte])] : []), rest])
}

function gitIndex(version: number, names: readonly string[]): Buffer {
  const head = Buffer.from('DIRC\0\0\0\0\0\0\0\0')
  head.writeUInt32BE(version, 4)
  head.writeUInt32BE(names.length, 8)
  const entries = names.map((name) => {
    const entry = Buffer.alloc(62)
    entry.writeUInt32BE(0o160000, 24)
    entry.writeUInt16BE(name.length, 60)
    if (version === 4) return Buffer.concat([entry, Buffer.from(`\0${name}\0`)])
    return Buffer.concat([entry, Buffer.from(name)], (62 + name.length + 8) & ~7)
  })
  return Buffer.concat([head, ...entries, Buffer.from('link\0\0\0\x14'), Buffer.alloc(20, 0xab), Buffer.alloc(20)])
}

const question = Buffer.from('0007010000010000000000000474656c6c0474657374000001000100', 'hex')

const isExpected = (error: unknown): boolean => error instanceof CordonError && error.code === 'SETTINGS_INVALID'

const CONFIG =
  '[core]\n\thooksPath = x # y\n[remote "a\\"b"]\n url = "c d" ; e\n[include] path = ../z\\\n\n[alias] x = !sh\n'
const TOML =
  '[profiles.p]\nextends = "workspace"\nnetwork = { hosts = ["a:1"] }\n[[profiles.p.rules]]\nprogram = "git"\nargs = ["push"]\nverdict = "ask"\n'
const HTTP = 'POST http://a:80/b?c HTTP/1.1\r\nHost: d\r\nContent-Length: 3\r\nConnection: close, x'

const linesOf = (bytes: Buffer): readonly string[] => bytes.toString('latin1').split('\n')

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}

const nameServer = (): NameServer =>
  new NameServer(new ListedNames(['*.test']), ['lan'], { resolves: async () => true, onRefused: () => undefined })

/** Denies nothing, so that the reading of the payload is all there is. */
const HOOK_ENGINE: HookEngine = {
  hasShell: true,
  authorize: async () => ({ digest: 'd', approval: 'a' }) as Awaited<ReturnType<HookEngine['authorize']>>,
  authorizeFiles: () => ({ verdict: 'ask', because: [] }) as unknown as ReturnType<HookEngine['authorizeFiles']>,
  leavePass: () => undefined,
  close: () => undefined,
}
const HOOK_PAYLOADS: readonly string[] = [
  '{"session_id":"s","transcript_path":"/t","cwd":"/p","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}',
  '{"hook_event_name":"BeforeTool","timestamp":"now","tool_name":"write_file","tool_input":{"file_path":"a"}}',
  '{"hook_event_name":"beforeShellExecution","command":"ls","cwd":"/p","cursor_version":"3"}',
  '{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":"{\\"command\\":\\"ls\\"}"}',
  '{"cordon_extension":"pi","tool":"edit","input":{"edits":[{"path":"a"}]}}',
  '{"turn_id":"t","hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\\n*** Add File: a\\n"}}',
]
const HOOK_PIECES: readonly string[] = [
  ...['{', '}', '[', ']', ',', ':', '"', 'null', '1e999', '"__proto__":', '"\\ud800"', '"cordon_extension":'],
  ...[
    '"tool_name":',
    '"tool_input":',
    '"edits":',
    '"command":',
    '"*** Begin Patch\\n*** Move to: "',
    '{"edits":['.repeat(50),
  ],
]

export const TARGETS: Readonly<Record<string, Target>> = {
  'git-index': {
    inputs: inputsLike(
      [gitIndex(2, ['a/b', 'c']), gitIndex(3, ['a']), gitIndex(4, ['a/b', 'c'])],
      [Buffer.alloc(62), Buffer.from([0, 0, 0xe0, 0]), Buffer.alloc(4, 0xff), 'link', 'DIRC'],
    ),
    parse: readIndex,
  },
  'git-config': {
    inputs: inputsLike(
      [CONFIG],
      ['[', ']', '"', '\\', '=', '#', ';', '\n', '\r\n', ' ', 'include', 'path', '~/', '[a "'],
    ),
    parse: (bytes) => {
      const text = bytes.toString('latin1')
      parseConfig(text)
      revertSettings({ before: CONFIG, after: text })
      revertSettings({ before: text, after: CONFIG })
      configuredPaths(['/w/.git/config'], '/w', '/h', () => text)
    },
  },
  http: {
    inputs: inputsLike(
      [HTTP, 'CONNECT [::1]:443 HTTP/1.1'],
      ['\r\n', ':', ' ', 'Transfer-Encoding: chunked', 'http://', 'HTTP/1.0', '\0'],
    ),
    parse: (bytes) => {
      const request = parseProxyHead(bytes.toString('latin1'))
      const head = request?.forward?.head('checked.test') ?? ''
      // Always one line of request, one host, and one end.
      const lines = head.split('\r\n')
      const isOne =
        head === '' ||
        (lines.indexOf('') === lines.length - 2 && lines.filter((line) => /^host:/i.test(line)).length === 1)
      if (!isOne || /[^\r]\n|\r[^\n]/.test(head)) throw new Error('the head for the server is not one head')
    },
  },
  dns: {
    inputs: inputsLike(
      [question],
      [question.subarray(12), Buffer.from([0xc0, 0x0c]), Buffer.from([63]), Buffer.alloc(3), 'test'],
    ),
    parse: (bytes) => nameServer().reply(bytes),
  },
  resolver: {
    inputs: inputsLike(
      ['nameserver 1.1.1.1\nsearch a. .b\n', '1.1.1.1 a b # c\n::1 d\n'],
      ['nameserver ', '::', '%', '\n', '.', 'ffff:'],
    ),
    parse: (bytes) => {
      resolverSettings(bytes.toString('latin1'))
      namesInHosts(bytes.toString('latin1'), '1.1.1.1')
    },
  },
  status: {
    inputs: inputsLike(
      ['{"child-pid": 7}\n{"cordon-mounted": true}\n{"exit-code": 0}\n'],
      ['"failed": "', '"over"', '\n', '{', '99999999999999999999'],
    ),
    parse: (bytes) => {
      const report = new StatusReport()
      for (let at = 0; at < bytes.length; at += 7) report.push(bytes.subarray(at, at + 7))
    },
  },
  'zygote-host': {
    inputs: inputsLike(
      ['ready\nopened 1\nrefused 1 2\nunstarted 3\n', '0 {"cordon-waiting": true}\n7 {"failed": "no memory"}\n'],
      ['\n', ' ', '0', '99999999999999999999', '{', '}', '"failed": "', '-1'],
    ),
    parse: (bytes) =>
      linesOf(bytes).forEach((line) => {
        parseZygoteAnswer(line)
        const report = parseZygoteReport(line)
        if (report.kind === 'clone') new StatusReport().pushLine(report.status)
      }),
  },
  'network-helper': {
    inputs: inputsLike(
      [
        '{"network":1,"pid":7,"port":80,"isOpen":true}',
        `{"network":1,"from":"127.0.0.1:5","asks":"${question.toString('hex')}"}`,
        '{"network":1,"failed":"no"}',
        '{"network":1,"isSettled":true}',
      ],
      ['{', '}', ',', '"network":', 'null', '1e999', '-1', '"asks":"zz"', '"from":"\\n"', '[]'],
    ),
    parse: async (bytes) => {
      const sent = parseNetworkMessage(jsonIn(bytes))
      if (sent?.message.kind !== 'question') return
      const reply = await nameServer().reply(sent.message.bytes)
      const { from: to } = sent.message
      if (reply === null) return
      const order = formatNetworkOrder({ verb: 'answer', network: sent.network, to, bytes: reply })
      if (/[\r\n]/.test(order)) throw new Error('the order is not one line')
    },
  },
  'exit-hold': {
    inputs: inputsLike(['held 7\n', 'failed 7\n'], ['held', ' ', '\n', '-1', '99999999999999999999']),
    parse: (bytes) => linesOf(bytes).map(parseHoldAnswer),
  },
  'mount-layers': {
    inputs: inputsLike(
      ['ready 7\n', "cp: cannot stat 'a'\ncopied 1\n"],
      ['copied', ' ', '\n', '0', '\r', '99999999999'],
    ),
    parse: (bytes) => {
      for (let at = 0; at <= bytes.length; at += 7) parseLayersAnswer(bytes.toString('latin1', 0, at))
    },
  },
  attributes: {
    inputs: inputsLike(['75:00,76:  77:78\n', ' \n'], [':', ',', ' ', '\n', 'f', '__proto__']),
    parse: (bytes) => linesOf(bytes).map((line) => parseAttributes(line, 3)),
  },
  hooks: {
    inputs: inputsLike(HOOK_PAYLOADS, HOOK_PIECES),
    parse: async (bytes) => {
      for (const agent of [null, ...HOOK_AGENTS]) {
        const { stdout, exit } = await answerHook(bytes.toString('utf8'), agent, () => HOOK_ENGINE)
        if (stdout === '' ? exit !== 0 && exit !== 2 : stdout.split('\n').length !== 2) throw new Error('an odd reply')
        if (stdout !== '') JSON.parse(stdout)
      }
    },
  },
  'agent-shell': {
    inputs: inputsLike(SHELL_TEXTS, SHELL_PIECES),
    parse: (bytes) => unwrap(bytes.toString('utf8')),
  },
  'agent-settings': {
    inputs: inputsLike(SETTINGS_TEXTS, SETTINGS_PIECES),
    parse: (bytes) => editSettings(bytes.toString('utf8')),
  },
  passes: { inputs: anyBytes, parse: openForged },
  journal: {
    inputs: inputsLike(
      [framed(Buffer.from('{"a":1}\nb')), framed(Buffer.from(''))],
      ['\n', '00000000 0\n', 'ffffffff 999999999999999\n', '{}'],
    ),
    parse: lastFrame,
  },
  mcp: {
    inputs: inputsLike(
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash","_meta":{"progressToken":1}}}\n'],
      [
        '\n',
        '{',
        '}',
        '[',
        ']',
        '"id":',
        'null',
        '{"id":{}}\n',
        '1e999',
        '"\\ud800"',
        '[[[[',
        '{"jsonrpc":"2.0","id":1,"method":"x"}\n',
      ],
    ),
    parse: (bytes) => {
      const guard = new RequestGuard(() => undefined)
      guard.pipe(new Writable({ write: (_chunk, _encoding, done) => done() }))
      return new Promise((resolve, reject) => guard.on('error', reject).on('end', resolve).end(bytes))
    },
  },
  settings: {
    inputs: inputsLike(
      [TOML],
      ['[', ']', '=', '"""', "'", '{', '\n', 'profiles.', '[[', '1979-05-27', '0x', '.', 'args = '],
    ),
    parse: (bytes) => {
      try {
        parseSettings(bytes.toString('utf8'), 'cordon.toml', settingsSchema())
      } catch (error) {
        if (!isExpected(error)) throw error
      }
    },
  },
}
