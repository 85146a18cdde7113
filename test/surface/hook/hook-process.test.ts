import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedHook } from '../../../src/host/agent-settings/agent-table.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { BINARY } from '../binary.js'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-hook-')))
const project = join(root, 'project')
const home = join(root, 'home')
const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(root, 'state') }
let cordon: Cordon

beforeAll(async () => {
  for (const directory of [home, project, join(project, '.git'), join(project, 'sub')]) mkdirSync(directory)
  cordon = await createCordon({ workspace: project, env })
})
afterAll(async () => {
  await cordon.close()
  rmSync(root, { recursive: true, force: true })
})

interface Call {
  readonly args?: readonly string[]
  readonly over?: Readonly<Record<string, string>>
  readonly binary?: string
}

const hook = (input: unknown, { args = [], over = {}, binary = BINARY }: Call = {}) => {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const options = { input: text, env: { ...env, ...over }, encoding: 'utf8', maxBuffer: 1e8, cwd: project } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, 'hook', ...args], options)
  return { status, stdout, stderr }
}

const claude = (command: string, fields: object = {}) => ({
  session_id: 's',
  transcript_path: '/t',
  cwd: project,
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'u',
  tool_input: { command },
  ...fields,
})
const payloads = {
  'claude-code': claude,
  codex: (command: string) => claude(command, { turn_id: 't' }),
  gemini: (command: string) =>
    claude(command, { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', timestamp: 'now' }),
  qwen: (command: string) => claude(command, { tool_call_id: 'c', tool_name: 'run_shell_command' }),
  copilot: (command: string) => ({
    sessionId: 's',
    timestamp: 1,
    cwd: project,
    toolName: 'bash',
    toolArgs: { command },
  }),
  cursor: (command: string) => ({
    hook_event_name: 'beforeShellExecution',
    command,
    cwd: project,
    cursor_version: '3',
  }),
  pi: (command: string) => ({ cordon_extension: 'pi', tool: 'bash', input: { command }, cwd: project }),
}
type Known = keyof typeof payloads
const agents = Object.keys(payloads) as Known[]

/** Every form of a refusal names its verdict and its reason by one of these. */
const verdictOf = (stdout: string): { readonly verdict: string; readonly reason: string } => {
  const answer = JSON.parse(stdout)
  const { permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput ?? answer
  return {
    verdict: permissionDecision ?? answer.decision ?? answer.permission ?? answer.verdict,
    reason: permissionDecisionReason ?? answer.reason ?? answer.agent_message,
  }
}
const denies = (reply: ReturnType<typeof hook>, reason: RegExp): void => {
  expect([reply.status, reply.stderr]).toEqual([0, ''])
  expect(reply.stdout).toMatch(/^[^\n]+\n$/)
  expect(verdictOf(reply.stdout)).toEqual({ verdict: 'deny', reason: expect.stringMatching(reason) })
}
const SILENT = { status: 0, stdout: '', stderr: '' }

describe('cordon hook', () => {
  it.each(agents)('denies a denied command of %s by one line of its JSON', (agent) => {
    denies(hook(payloads[agent]('sudo id')), /sudo/)
  })

  it('is silent about an allowed command, and records it with the agent', () => {
    expect(hook(claude('echo seen-by-the-hook'))).toEqual(SILENT)
    expect(cordon.audit.query({ text: 'seen-by-the-hook' })).toMatchObject([
      { outcome: 'authorized', caller: 'hook', agent: 'claude-code', cwd: project },
    ])
  })

  it('asks in Claude Code, and names the held command', () => {
    const reply = hook(claude('git push --force origin one'))
    const { verdict, reason } = verdictOf(reply.stdout)
    const [held] = cordon.approvals.list()
    expect([verdict, held?.state]).toEqual(['ask', 'pending'])
    expect(reason).toContain(`cordon approve ${held?.id}`)
  })

  it('denies in Codex with the command that a person types, and grants the repeated command once', () => {
    const push = payloads.codex('git push --force origin two')
    const reply = hook(push)
    denies(reply, /cordon approve [0-9a-f]+/)
    const id = /cordon approve ([0-9a-f]+)/.exec(reply.stdout)?.[1] ?? ''
    cordon.approvals.answer(id, 'approved')
    expect(hook(push)).toEqual(SILENT)
    denies(hook(push), /cordon approve/)
  })

  it('judges a command as one that no sandbox confines', () => {
    expect(verdictOf(hook(claude(`grep -r token ${home}`)).stdout).verdict).toBe('ask')
    denies(hook(claude('echo x >> /etc/hosts')), /outside the allowed roots/)
  })

  it('takes the project as the workspace where the agent is in a directory of it', () => {
    expect(hook(claude('rm ../old.txt', { cwd: join(project, 'sub') }))).toEqual(SILENT)
  })

  const filesOf = (payload: object, tool_name: string, tool_input: object) => ({ ...payload, tool_name, tool_input })
  const patch = '*** Begin Patch\n*** Update File: .claude/settings.json\n*** End Patch'
  it.each([
    ['Write', filesOf(claude(''), 'Write', { file_path: '.git/hooks/pre-commit', content: '' })],
    ['Edit', filesOf(claude(''), 'Edit', { file_path: join(project, '.env') })],
    ['Write', filesOf(claude(''), 'Write', { file_path: join(home, '.config/cordon/cordon.toml') })],
    ['apply_patch', filesOf(payloads.codex(''), 'apply_patch', { command: patch })],
    ['write_file', filesOf(payloads.gemini(''), 'write_file', { file_path: join(project, '.git/config') })],
  ])('denies the file tool %s a protected or hidden path', (_, payload) => {
    denies(hook(payload), /hides|protected/)
  })

  it('has no opinion about other files, tools and events', () => {
    const write = { tool_name: 'Write', tool_input: { file_path: 'src/a.ts' } }
    const others = [write, { tool_name: 'Read', tool_input: { file_path: '.env' } }, { hook_event_name: 'Stop' }]
    for (const fields of others) expect(hook(claude('', fields))).toEqual(SILENT)
  })
})

describe('cordon hook denies after any failure:', () => {
  it.each([
    ['truncated JSON', JSON.stringify(claude('echo hi')).slice(0, -9)],
    ['an empty input', ''],
    ['JSON that is no object', '[]'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')],
  ])('%s', (_, text) => denies(hook(text, { args: ['codex'] }), /cannot read/))

  it('a shell tool without a command', () => denies(hook(claude('', { tool_input: {} })), /without a command/))

  it('a directory that does not exist', () => denies(hook(claude('ls', { cwd: '/nowhere' })), /nowhere/))

  it('settings that are wrong', () => {
    writeFileSync(join(project, 'cordon.toml'), 'profle = 1\n')
    const reply = hook(claude('echo hi'))
    rmSync(join(project, 'cordon.toml'))
    denies(reply, /profle/)
  })

  it('a state directory that cannot be written', () => {
    writeFileSync(join(root, 'file'), '')
    denies(hook(claude('echo hi'), { over: { XDG_STATE_HOME: join(root, 'file') } }), /audit log/)
  })

  it('a command of a megabyte', () => {
    const reply = hook(claude(`echo ${'x'.repeat(1_000_000)}; sudo id`))
    expect(['deny', 'ask']).toContain(verdictOf(reply.stdout).verdict)
    expect(hook(claude(`echo ${'x'.repeat(100_000)}`))).toEqual(SILENT)
  }, 60_000)

  it('a call of an unknown agent, by exit status 2 and stderr', () => {
    for (const [input, args] of [
      ['{', []],
      ['{}', []],
      [claude('ls'), ['nobody']],
    ] as const)
      expect(hook(input, { args })).toEqual({ status: 2, stdout: '', stderr: expect.stringMatching(/agent/) })
  })

  it('a closed stdin, and a closed stdout by exit status 2', () => {
    const shell = (script: string) =>
      spawnSync('bash', ['-c', script, 'bash', process.execPath, BINARY], {
        env,
        encoding: 'utf8',
        input: JSON.stringify(claude('sudo id')),
      })
    denies({ ...shell('"$1" "$2" hook codex <&-') }, /cannot read|EBADF|failed/)
    expect(shell('"$1" "$2" hook codex >&-')).toMatchObject({ status: 2, stderr: expect.stringContaining('sudo') })
  })

  it('a program that is not whole, by exit status 2', () => {
    const dist = join(root, 'broken')
    cpSync(dirname(BINARY), dist, { recursive: true })
    const bundle = readdirSync(dist).find((name) => /^hook-.*\.cjs$/.test(name)) ?? ''
    closeSync(openSync(join(dist, bundle), 'w'))
    expect(hook(claude('sudo id'), { binary: join(dist, 'bin.cjs') })).toMatchObject({ status: 2, stdout: '' })
  })

  it('a module that prints as it is loaded does not get before the answer', () => {
    const module = join(root, 'stray.cjs')
    writeFileSync(module, 'console.log("a stray line")\n')
    const over = { ...env, NODE_OPTIONS: `--require ${module}` }
    const options = { env: over, encoding: 'utf8', cwd: project, input: JSON.stringify(claude('sudo id')) } as const
    denies(spawnSync('sh', ['-c', guardedHook(BINARY, 'claude-code')], options), /sudo/)
  })

  it('says nothing but the answer on stdout, though it logs and warns', () => {
    const over = { CORDON_LOG: 'debug', NODE_OPTIONS: '--trace-warnings --pending-deprecation' }
    const reply = hook(claude('sudo id'), { over })
    expect(verdictOf(reply.stdout).verdict).toBe('deny')
    expect(hook(claude('echo hi'), { over }).stdout).toBe('')
  })
})
