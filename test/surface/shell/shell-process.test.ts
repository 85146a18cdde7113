import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Cordon, createCordon } from '../../../src/node.js'
import { BINARY } from '../binary.js'

const SHELL = join(dirname(BINARY), 'shell.cjs')
const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-shell-')))
const [project, home, tmp] = ['project', 'home', 'tmp'].map((name) => join(root, name)) as [string, string, string]
const cwdFile = join(tmp, 'claude-4af1-cwd')
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TMPDIR: tmp,
  XDG_STATE_HOME: join(root, 'state'),
  CLAUDECODE: '1',
  AI_AGENT: 'claude-code_2-1-327_agent',
  CLAUDE_CODE_SESSION_ID: 'one',
  CLAUDE_CODE_SHELL_PREFIX: SHELL,
}
let cordon: Cordon

beforeAll(async () => {
  for (const directory of [home, tmp, project, join(project, '.git'), join(project, 'sub')]) mkdirSync(directory)
  cordon = await createCordon({ workspace: project, env })
})
beforeEach(() => rmSync(cwdFile, { force: true }))
afterAll(async () => {
  await cordon.close()
  rmSync(root, { recursive: true, force: true })
})

const shell = (words: readonly string[], over: Readonly<Record<string, string>> = {}, cwd = project) => {
  const { status, stdout, stderr } = spawnSync(SHELL, words, { cwd, env: { ...env, ...over }, encoding: 'utf8' })
  return { status, stdout, stderr }
}
const enveloped = (command: string, file = cwdFile) =>
  `source /none.sh 2>/dev/null || true && eval '${command.replaceAll("'", `'"'"'`)}' < /dev/null && pwd -P >| ${file}`
const claude = (command: string, ...rest: Parameters<typeof shell> extends [unknown, ...infer Rest] ? Rest : never) =>
  shell([enveloped(command)], ...rest)

describe('cordon-shell', () => {
  it('runs the command of Claude Code in the sandbox, with its output and exit status', () => {
    expect(claude('echo out; echo err >&2; exit 3')).toEqual({ status: 3, stdout: 'out\n', stderr: 'err\n' })
    expect(cordon.audit.query({ limit: 1 })).toMatchObject([
      { caller: 'shell', agent: 'claude-code', command: 'echo out; echo err >&2; exit 3', exitCode: 3 },
    ])
  })

  it('tells Claude Code the directory that a command ended in', () => {
    expect(claude('cd sub').status).toBe(0)
    expect(readFileSync(cwdFile, 'utf8')).toBe(`${join(project, 'sub')}\n`)
  })

  it('tells it nothing after a failure, and of a directory outside the project', () => {
    expect(claude('cd sub; false').status).toBe(1)
    expect(claude('cd /tmp && mkdir -p own && cd own').status).toBe(0)
    expect(existsSync(cwdFile)).toBe(false)
    expect(readdirSync(tmp)).toEqual([])
  })

  it('ends a command with `set -e` at the first failure, as bash does', () => {
    expect(claude('set -e; false; echo no')).toMatchObject({ status: 1, stdout: '' })
  })

  it('refuses with 126, and holds with 123 and the id, on stderr', () => {
    expect(claude('sudo id')).toMatchObject({ status: 126, stdout: '', stderr: expect.stringContaining('sudo') })
    const held = claude('git push --force origin held')
    const [approval] = cordon.approvals.list()
    expect(held).toMatchObject({ status: 123, stdout: '', stderr: expect.stringMatching(/cordon approve [0-9a-f]+/) })
    expect(approval).toMatchObject({ state: 'pending', command: 'git push --force origin held', agent: 'claude-code' })
  })

  it('keeps the keys and the sockets of agents out of the environment', () => {
    const keys = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN', 'GEMINI_API_KEY']
    const all = [...keys, 'OPENAI_API_KEY', 'SCRIPTED_KEY', 'CLAUDE_CODE_SHELL_PREFIX']
    const { stdout } = claude(
      'env; cat /proc/1/environ',
      Object.fromEntries(all.map((name) => [name, 'secret-of-agent'])),
    )
    expect(stdout).toContain('HOME=')
    expect(stdout).not.toContain('secret-of-agent')
    for (const name of all) expect(stdout).not.toContain(name)
  })

  it('takes `-c` and `-lc`, and refuses what is no single command with 125', () => {
    expect(shell(['-c', 'echo a']).stdout).toBe('a\n')
    expect(shell(['-lc', 'echo a']).stdout).toBe('a\n')
    expect(shell(['script.sh', 'word'])).toMatchObject({ status: 125, stderr: expect.stringContaining('one command') })
  })

  it('uses the project as the workspace from a directory below it', () => {
    expect(claude('echo x > ../made && cat ../made', {}, join(project, 'sub')).stdout).toBe('x\n')
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('x\n')
  })

  it('sets no time limit of its own, and obeys one that the profile sets', () => {
    const limited = ['[profiles.mine]', 'extends = "workspace"', '[profiles.mine.timeouts]', 'shell_ms = 1000']
    writeFileSync(join(project, 'cordon.toml'), `profile = "mine"\n${limited.join('\n')}\n`)
    const ended = shell(['-c', 'sleep 20'])
    rmSync(join(project, 'cordon.toml'))
    expect(ended).toMatchObject({ status: 124, stderr: expect.stringContaining('timed out') })
  })

  it('ends the command when the agent ends the shell', async () => {
    const child = spawn(SHELL, ['-c', 'echo started; sleep 300'], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await new Promise((resolve) => child.stdout.once('data', resolve))
    const ended = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await ended
    const outcomes = cordon.audit.query({ text: 'echo started', limit: 1 }).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['cancelled'])
  })
})

describe('an attack on cordon-shell', () => {
  it('that imitates the envelope for another file is judged as a whole', () => {
    const target = join(home, 'claude-4af1-cwd')
    shell([enveloped('true', target)])
    expect(existsSync(target)).toBe(false)
    expect(cordon.audit.query({ limit: 1 })[0]?.command).toBe(enveloped('true', target))
  })

  it('that puts a symlink in the place of the file for the directory writes through none', () => {
    symlinkSync(join(home, 'victim'), cwdFile)
    expect(claude('cd sub').status).toBe(0)
    expect(existsSync(join(home, 'victim'))).toBe(false)
  })

  it('that ends the word for eval and goes on is judged as a whole', () => {
    const text = `source /none.sh 2>/dev/null || true && eval 'ls' < /dev/null && sudo id && pwd -P >| ${cwdFile}`
    expect(shell([text])).toMatchObject({ status: 126, stderr: expect.stringContaining('sudo') })
  })

  it('that reads the recomposed text back finds no code there that was not judged', () => {
    const { stdout } = claude('echo "[$*][$#]"; set | grep -c sudo')
    expect(stdout).toContain('[][0]')
  })

  it('that calls the shell from inside the sandbox as a hook of Claude Code stays inside', () => {
    // The sandbox has a /tmp of its own, where a checkout may lie.
    cpSync(dirname(BINARY), join(project, 'tool'), { recursive: true })
    const { stdout, stderr } = claude(
      `AI_AGENT=claude-code_2_harness CLAUDECODE=1 node tool/shell.cjs "touch ${home}/escaped; echo inside"; true`,
    )
    expect([stdout, stderr]).toEqual([expect.stringContaining('inside'), expect.any(String)])
    expect(existsSync(join(home, 'escaped'))).toBe(false)
  })
})

describe('hooks and servers that Claude Code starts through its prefix', () => {
  const harness = { AI_AGENT: 'claude-code_2-1-327_harness' }
  it('run outside the sandbox, with their variables', () => {
    expect(shell([`echo $KEY > ${home}/by-hook; exit 4`], { ...harness, KEY: 'given' })).toMatchObject({ status: 4 })
    expect(readFileSync(join(home, 'by-hook'), 'utf8')).toBe('given\n')
  })

  it('are commands like others where Claude Code does not say so', () => {
    expect(shell([`touch ${home}/by-model`]).status).not.toBe(4)
    expect(existsSync(join(home, 'by-model'))).toBe(false)
    expect(shell(['sudo id'], { AI_AGENT: 'claude-code_2-1-327_agent' }).status).toBe(126)
  })
})

describe('with the hook and the shell of one agent', () => {
  const hook = (command: string, session = 'one') => {
    const payload = {
      session_id: session,
      transcript_path: '/t',
      cwd: project,
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
    }
    const { stdout } = spawnSync(process.execPath, [BINARY, 'hook', 'claude-code'], {
      cwd: project,
      env: {
        ...env,
        AI_AGENT: 'claude-code_2-1-327_harness',
        CLAUDE_PROJECT_DIR: project,
        CLAUDE_CODE_SESSION_ID: session,
      },
      encoding: 'utf8',
      input: JSON.stringify(payload),
    })
    return stdout === '' ? 'none' : JSON.parse(stdout).hookSpecificOutput.permissionDecision
  }
  const passes = () => readdirSync(join(root, 'state/cordon/passes'))
  const force = (name: string) => `git push --force origin ${name}`

  it('a yes in the dialog runs the command once, and settles what was held', () => {
    const command = force('dialog')
    expect(hook(command)).toBe('ask')
    expect(claude(command).status).not.toBe(123)
    expect(cordon.audit.query({ text: command })).toMatchObject([
      { caller: 'shell', approver: expect.any(String) },
      { tool: 'approve', answer: { note: 'In the dialog of claude-code.' } },
      { caller: 'hook', outcome: 'held' },
    ])
    expect(claude(command).status).toBe(123)
  })

  it('two calls that were both allowed both run', () => {
    const command = force('twice')
    expect([hook(command), hook(command)]).toEqual(['ask', 'ask'])
    expect([claude(command).status, claude(command).status]).not.toContain(123)
    expect(claude(command).status).toBe(123)
  })

  it('an approval that the hook used up is not asked for again by the shell, and is good for one run', () => {
    const command = force('approved')
    expect(claude(command).status).toBe(123)
    const held = cordon.approvals.list().find((one) => one.command === command)
    cordon.approvals.answer(held?.id ?? '', 'approved')
    expect(hook(command)).toBe('none')
    expect(claude(command).status).not.toBe(123)
    expect(claude(command).status).toBe(123)
  })

  it('a pass is for one plan and one session, and none can be made without the key', () => {
    const command = force('session')
    expect(hook(command)).toBe('ask')
    expect(claude(`${command} --tags`).status).toBe(123)
    expect(claude(command, { CLAUDE_CODE_SESSION_ID: 'two' }).status).toBe(123)
    const [name = ''] = passes()
    const file = join(root, 'state/cordon/passes', name)
    const sealed = readFileSync(file, 'utf8')
    rmSync(file)
    writeFileSync(
      file.replace(/.$/, (c) => (c === '0' ? '1' : '0')),
      sealed,
      { mode: 0o600 },
    )
    expect(claude(command).status).toBe(123)
    const { stdout } = claude(`ls ${join(root, 'state')} 2>&1; cat ${join(root, 'state/cordon/secret.key')} 2>&1; true`)
    expect(stdout).not.toContain('passes')
  })
})
