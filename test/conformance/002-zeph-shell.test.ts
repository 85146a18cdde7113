import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Event } from '../../src/index.js'
import { heldId } from '../held-id.js'
import { oddSeconds, openWorkbench, processesWith, refusal, SECRETS, type Workbench } from './workbench.js'

const SETTINGS = `
[profiles.restores]
extends = "workspace"
transaction = { on_failure = "restore" }

[profiles.restores-1]
extends = "restores"
transaction = { rollback_codes = [1] }

[profiles.scoped]
extends = "restores"
transaction = { scope = ["src/**"] }

[profiles.reviewed]
extends = "workspace"
transaction = { mode = "review" }

[profiles.tiny]
extends = "open"
transaction = { max_bytes = 1_000 }

[profiles.tiny-required]
extends = "open"
transaction = { max_bytes = 1_000, required = true }

[profiles.networked]
extends = "workspace"
network = "full"
builtins = { removed = ["network"] }

[profiles.no-halt-rule]
extends = "workspace"
builtins = { removed = ["halt"] }

[profiles.blocks-more]
extends = "workspace"
permissions = { deny = ["Bash(terraform:*)"] }
confirm = ["<<<", "eval "]

[profiles.generous]
extends = "workspace"
permissions = { allow = ["tool:bash:*"] }

[profiles.hushed]
extends = "workspace"
environment = { pass = ["...", "AWS_SECRET_ACCESS_KEY"], strip = ["AWS_"] }
`

/**
 * The third document: an executor of bash blocks, with a blocklist, confirmations, a path sandbox, transactions and
 * an audit.
 */
describe('the shell executor', () => {
  let bench: Workbench
  const verdict = (script: string, profile?: string) => bench.cordon.check(script, { profile }).verdict
  const programs = (script: string) => bench.cordon.check(script).facts.invocations.map(({ program }) => program)
  const fenced = (script: string) => `\`\`\`bash\n${script}\n\`\`\``

  beforeAll(async () => {
    bench = await openWorkbench({ settings: SETTINGS })
  })
  afterAll(() => bench.close())

  describe('blocks of a reply', () => {
    it('a reply without a bash block runs nothing', async () => {
      const before = bench.cordon.audit.query().length
      for (const reply of ['just words', '', '```\nls\n```', '```python\nprint(1)\n```', '`ls`']) {
        expect(await bench.cordon.runMarkdown(reply)).toBeNull()
      }
      expect(bench.cordon.audit.query()).toHaveLength(before)
    })

    it('one block is run and summarised with the command before its output', async () => {
      const outcome = await bench.cordon.runMarkdown(`Look:\n${fenced('echo hi')}\nDone.`)
      expect(outcome).toMatchObject({ blocks: 1, results: [{ stdout: 'hi\n' }], summary: '$ echo hi\nhi' })
    })

    it('several blocks are run in order and summarised together', async () => {
      const outcome = await bench.cordon.runMarkdown(`${fenced('echo 1 > n')}\nthen\n${fenced('cat n')}`)
      expect(outcome).toMatchObject({ blocks: 2, summary: '$ echo 1 > n\n(no output)\n\n$ cat n\n1' })
    })

    it('a refused block ends the run, and the summary has the blocks before it', async () => {
      const error = await refusal(
        bench.cordon.runMarkdown(`${fenced('echo first')}\n${fenced('sudo id')}\n${fenced('touch third')}`),
        'COMMAND_BLOCKED',
      )
      expect(error.details).toMatchObject({ results: [{ stdout: 'first\n' }], summary: '$ echo first\nfirst' })
      expect(existsSync(bench.path('third'))).toBe(false)
    })

    it('every block is decided on its own', async () => {
      await refusal(bench.cordon.runMarkdown(fenced('rm -rf /')), 'COMMAND_BLOCKED')
    })
  })

  describe('the bash tool', () => {
    const call = (args: unknown, name = 'bash') => bench.cordon.tools.execute({ id: '1', name, arguments: args })

    it('takes a command and gives both streams', async () => {
      expect(await call({ command: 'echo out; echo err >&2' })).toMatchObject({
        success: true,
        json: { stdout: 'out\n', stderr: 'err\n', exit_code: 0, truncated: false },
      })
    })

    it('is described to models with its one required parameter', () => {
      expect(bench.cordon.tools.definitions().find(({ name }) => name === 'bash')?.parameters).toMatchObject({
        required: ['command'],
      })
    })

    it('another name is not its call', async () => {
      expect(await call({ command: 'ls' }, 'browser')).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
    })

    it('an empty command or one that is no string is refused', async () => {
      expect(await call({ command: '' })).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
      expect(await call({ command: ['ls'] })).toMatchObject({ success: false, error: { code: 'INVALID_ARGUMENTS' } })
    })
  })

  describe('the blocklist', () => {
    it.each([
      'rm -rf /',
      'sudo id',
      'mkfs /dev/sda1',
      'mkfs.ext4 /dev/sda1',
      'dd if=/dev/zero of=/dev/sda',
      'shutdown now',
      'reboot',
      'halt',
      'curl http://example.com',
      'wget http://example.com',
      'nc example.com 80',
      'ncat example.com 80',
      'netcat example.com 80',
    ])('%s is blocked by default, and the message begins with the words all callers know', async (script) => {
      const error = await refusal(bench.cordon.run(script), 'COMMAND_BLOCKED')
      expect(error.message).toMatch(/^Command not allowed/)
    })

    it.each([
      'su\\do id',
      '"su""do" id',
      "s'ud'o id",
      "$'\\x73udo' id",
      "$'\\163udo' id",
      "$'\\u0073udo' id",
      'su\\\ndo id',
      '/usr/bin/sudo id',
      'env sudo id',
      'env A=1 sudo id',
      'command sudo id',
      'exec sudo id',
      'nice -n 5 sudo id',
      'nohup sudo id',
      'time sudo id',
      'echo id | xargs sudo',
      'true && sudo id',
      'false || sudo id',
      'true; sudo id',
      'echo | sudo tee x',
      'true\nsudo id',
      '(sudo id)',
      '{ sudo id; }',
      'echo $(sudo id)',
      'echo `sudo id`',
      'cat <(sudo id)',
      'echo x > >(sudo tee y)',
      'echo "$(echo "$(sudo id)")"',
      'if true; then sudo id; fi',
      'for i in 1; do sudo id; done',
      'f() { sudo id; }; f',
      'echo ${x:-$(sudo id)}',
    ])('the blocklist finds a denied program behind %s', (script) => {
      expect(programs(script)).toContain('sudo')
      expect(verdict(script)).toBe('deny')
    })

    it.each(['bash', 'sh', 'zsh', 'dash', 'ksh'])('%s -c is looked into', (shell) => {
      expect(verdict(`${shell} -c 'sudo id'`)).toBe('deny')
      expect(verdict(`/bin/${shell} -c 'rm -rf /'`)).toBe('deny')
    })

    it.each(['fish', 'csh', 'tcsh'])('%s -c is looked into, or held as unreadable', (shell) => {
      expect(verdict(`${shell} -c 'sudo id'`)).not.toBe('allow')
    })

    it('letter case does not hide a program given with its arguments', async () => {
      expect((await refusal(bench.cordon.exec('SUDO', ['id']), 'COMMAND_BLOCKED')).message).toMatch(/sudo/i)
    })

    it.each([
      'echo "sudo is a word"',
      'git commit -m "rm -rf /"',
      "grep -r 'sudo rm' .",
      'cat <<EOF\nsudo rm -rf /\nEOF',
      'echo sudoku',
      'ls mkfs-notes',
      'rm -rf ./build',
    ])('%s is only text or ordinary work, and allowed', (script) => {
      expect(verdict(script)).toBe('allow')
    })

    it('a profile can block more programs', async () => {
      await refusal(bench.cordon.run('terraform apply', { profile: 'blocks-more' }), 'POLICY_DENIED')
    })

    it('a built-in block can be taken out by its name, and only by that', () => {
      expect(verdict('halt')).toBe('deny')
      expect(verdict('halt', 'no-halt-rule')).not.toBe('deny')
      expect(verdict('sudo id', 'no-halt-rule')).toBe('deny')
    })

    it('no permission lifts a block', () => {
      expect(verdict('sudo id', 'generous')).toBe('deny')
      expect(verdict('rm -rf /', 'generous')).toBe('deny')
    })

    it('network programs are let in where the profile allows the network', () => {
      expect(verdict('curl http://example.com')).toBe('deny')
      expect(verdict('curl http://example.com', 'networked')).toBe('allow')
    })
  })

  describe('what the third document could not see', () => {
    it.each([
      ["bash <<< 'sudo rm -rf /'", 'sudo'],
      ["echo 'sudo id' | bash", 'sudo'],
      ["eval 'sudo rm -rf /'", 'sudo'],
      ["sh -c 'sudo id'", 'sudo'],
      ['cmd=sudo; $cmd rm', 'sudo'],
      ['x=cmd; cmd=sudo; ${!x} id', 'sudo'],
      ['printf -v c %s sudo; $c id', 'sudo'],
      ['a=(sudo id); "${a[@]}"', 'sudo'],
      ["trap 'sudo id' EXIT", 'sudo'],
      ['bash <<EOF\nsudo id\nEOF', 'sudo'],
    ])('%s runs %s', (script, program) => {
      expect(programs(script)).toContain(program)
      expect(verdict(script)).toBe('deny')
    })

    it.each(['$(cat name) id', 'eval "$(cat name)"', 'bash -c "$(cat name)"', 'read -r c; $c', 'source <(cat name)'])(
      '%s of input that comes later cannot be known, and is reported as hidden with a reason and a place',
      (script) => {
        const relay = { stdin: () => () => undefined, write: () => true }
        execFileSync('mkfifo', [bench.path('name')])
        const { facts, verdict: said } = bench.cordon.check(script, { relay })
        rmSync(bench.path('name'))
        expect(facts.opaque.find(({ kind }) => kind === 'unknown')).toMatchObject({
          reason: expect.stringMatching(/./),
        })
        expect(said).not.toBe('allow')
      },
    )

    it('a script in a file is read', () => {
      bench.write('innocent.sh', 'echo start\nsudo id\n')
      expect(programs('bash innocent.sh')).toContain('sudo')
    })
  })

  describe('the path sandbox', () => {
    it('a write outside the allowed roots does not pass, redirects included', () => {
      for (const script of ['touch /etc/x', 'echo x > /etc/x', 'cp a ../../../../../../etc/x', 'tee /usr/x < a']) {
        expect(verdict(script)).not.toBe('allow')
      }
    })

    it('a link out of the workspace is followed before it is judged', () => {
      symlinkSync('/etc', bench.path('innocent'))
      expect(verdict('echo x > innocent/x')).not.toBe('allow')
    })

    it('secret places are refused even for reading', async () => {
      mkdirSync(`${bench.home}/.ssh`)
      const error = await refusal(bench.cordon.run(`cat ${bench.home}/.ssh/id_rsa`), 'PATH_NOT_ALLOWED')
      expect(error.message).toContain('.ssh')
      expect(verdict('cat .env')).toBe('deny')
    })

    it('paths inside pass, and so do URLs, assignments and words with a slash', () => {
      for (const script of ['cat src/a.txt', 'A=b/c env', 'echo https://example.com/a', 'echo and/or', 'ls ./src']) {
        expect(verdict(script)).toBe('allow')
      }
    })

    it('the sandbox stops what the analyser cannot see', async () => {
      const result = await bench.cordon.run(`perl -e 'open(F, ">", "/etc/cordon-was-here") or exit 1'`)
      expect(result.exitCode).toBe(1)
      expect(existsSync('/etc/cordon-was-here')).toBe(false)
    })
  })

  describe('the confirmation gate', () => {
    const held = 'cat <<< word > confirmed.txt'
    const options = { profile: 'blocks-more' }

    it('holds what a pattern names, and runs nothing', async () => {
      const error = await refusal(bench.cordon.run(held, options), 'CONFIRMATION_REQUIRED')
      expect(error.details).toMatchObject({ approval: { id: expect.stringMatching(/./) } })
      expect(existsSync(bench.path('confirmed.txt'))).toBe(false)
    })

    it('a confirmed command runs once', async () => {
      const error = await refusal(bench.cordon.run(held, options), 'CONFIRMATION_REQUIRED')
      const approval = heldId(error)
      bench.cordon.approvals.answer(approval, 'approved')
      expect(await bench.cordon.run(held, { ...options, approval })).toMatchObject({ exitCode: 0 })
      expect(bench.read('confirmed.txt')).toBe('word\n')
      await refusal(bench.cordon.run(held, { ...options, approval }), 'APPROVAL_INVALID')
    })

    it('what was confirmed is what runs: another command is refused', async () => {
      const error = await refusal(bench.cordon.run(held, options), 'CONFIRMATION_REQUIRED')
      const approval = heldId(error)
      bench.cordon.approvals.answer(approval, 'approved')
      await refusal(bench.cordon.run('cat <<< other', { ...options, approval }), 'APPROVAL_INVALID')
    })

    it('a confirmation does not lift a block', async () => {
      await refusal(bench.cordon.run('sudo cat <<< x', options), 'COMMAND_BLOCKED')
    })
  })

  describe('the environment', () => {
    it('variables with a blocked prefix are stripped even when passed on by name', async () => {
      const { stdout } = await bench.cordon.run('env', { profile: 'hushed' })
      expect(stdout).not.toContain(SECRETS.AWS_SECRET_ACCESS_KEY)
    })

    it('the variables of a skill are injected last', async () => {
      expect(await bench.cordon.run('echo $GREETING', { profile: 'hushed', env: { GREETING: 'hello' } })).toMatchObject(
        {
          stdout: 'hello\n',
        },
      )
    })

    it('and are gone with the next command', async () => {
      expect(await bench.cordon.run('echo "[$GREETING]"', { profile: 'hushed' })).toMatchObject({ stdout: '[]\n' })
    })
  })

  describe('events', () => {
    it('tell of the start, every chunk with its stream, and the end', async () => {
      const events: Event[] = []
      const { id } = await bench.cordon.run('echo out; echo err >&2; exit 3', { onEvent: (e) => events.push(e) })
      expect(events[0]).toMatchObject({ type: 'started', id, command: 'echo out; echo err >&2; exit 3' })
      const of = { type: 'output', id, agent: null, tool: 'bash' }
      expect(events).toContainEqual({ ...of, stream: 'stdout', chunk: 'out\n' })
      expect(events).toContainEqual({ ...of, stream: 'stderr', chunk: 'err\n' })
      expect(events.at(-1)).toMatchObject({ type: 'completed', id, exitCode: 3 })
    })

    it('a refusal starts nothing and says so', async () => {
      const events: Event[] = []
      await refusal(bench.cordon.run('sudo id', { onEvent: (e) => events.push(e) }))
      expect(events).toMatchObject([{ type: 'refused', error: { code: 'COMMAND_BLOCKED' } }])
    })
  })

  describe('cancelling and time', () => {
    it('a token that is cancelled kills the tree with code 130 and a typed ending', async () => {
      const seconds = oddSeconds()
      const abort = new AbortController()
      const result = await bench.cordon.run(`echo up; sleep ${seconds} & sleep ${seconds}`, {
        signal: abort.signal,
        onEvent: ({ type }) => type === 'output' && abort.abort(),
      })
      expect(result).toMatchObject({ exitCode: 130, cancelled: true, stdout: 'up\n', error: { code: 'CANCELLED' } })
      expect(processesWith(seconds)).toEqual([])
    })

    it('a timeout keeps what was printed and kills the children too', async () => {
      const seconds = oddSeconds()
      const result = await bench.cordon.run(`echo so far; sleep ${seconds} | sleep ${seconds}`, { timeoutMs: 3_000 })
      expect(result).toMatchObject({
        timedOut: true,
        stdout: 'so far\n',
        error: { message: 'Command timed out after 3s' },
      })
      expect(processesWith(seconds)).toEqual([])
    })
  })

  describe('results', () => {
    it('both streams are kept apart and shown in the order they came', async () => {
      const result = await bench.cordon.run('echo 1; sleep 0.1; echo 2 >&2; sleep 0.1; echo 3')
      expect(result).toMatchObject({ stdout: '1\n3\n', stderr: '2\n', output: '1\n2\n3\n' })
    })

    it('a command without output gives "(no output)"', async () => {
      const { text } = await bench.cordon.tools.execute({ id: '1', name: 'bash', arguments: { command: 'true' } })
      expect(text).toContain('(no output)')
    })

    it.each([
      ['touch plain && ./plain', 126, 'policy-blocked'],
      ['no-such-command-here', 127, 'permanent'],
      ['cat missing-file', 1, 'permanent'],
      ['echo "x: Permission denied" >&2; exit 5', 5, 'policy-blocked'],
    ])('an error result has its category: %s', async (script, exitCode, category) => {
      expect(await bench.cordon.run(script)).toMatchObject({ exitCode, error: { category } })
    })

    it('any other failure is left as it is', async () => {
      expect(await bench.cordon.run('echo some output; exit 5')).toMatchObject({ exitCode: 5, error: null })
    })

    it('terminal escapes are removed from the output', async () => {
      expect(await bench.cordon.run("printf '\\033[31mred\\033[0m\\n'")).toMatchObject({ stdout: 'red\n' })
    })

    it('a filter cuts noise, counts what it cut and never hides a failure', async () => {
      const passing = 'print " ✓ test number $_\\n" for 1..30;'
      const failing = 'if (@ARGV > 1) { print " × test number 31\\n AssertionError: 1 is not 2\\n"; exit 1 }'
      const runner = bench.write(
        'vitest',
        `#!/usr/bin/perl\n${passing}\n${failing}\nprint "      Tests  30 passed (30)\\n"`,
      )
      chmodSync(runner, 0o755)
      const result = await bench.cordon.run('./vitest run')
      expect(result.stdout).toBe('[… 30 lines of passing tests omitted]\n      Tests  30 passed (30)\n')
      expect(result.filter).toMatchObject({ rawLines: 31, keptLines: 1, kept: [[31, 31]], confidence: 'full' })
      const failed = await bench.cordon.run('./vitest run again')
      expect(failed).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('× test number 31\n AssertionError'),
      })
    })
  })

  describe('the audit', () => {
    it.each([
      ['echo audited-success', 'success', null],
      ['exit 3 # audited-error', 'error', null],
      ['sudo audited-blocked', 'blocked', 'COMMAND_BLOCKED'],
    ])('%s is one record with outcome %s', async (script, outcome, errorCode) => {
      await bench.cordon.run(script, { agent: 'auditor' }).catch(() => undefined)
      expect(bench.cordon.audit.query({ text: script })).toMatchObject([
        {
          command: script,
          outcome,
          errorCode,
          agent: 'auditor',
          tool: 'bash',
          caller: 'library',
          cwd: bench.workspace,
        },
      ])
    })

    it('a blocked command carries category, domain and phase', async () => {
      await refusal(bench.cordon.run('sudo audited-classes'))
      expect(bench.cordon.audit.query({ text: 'audited-classes' })[0]).toMatchObject({
        errorCategory: 'policy-blocked',
        errorDomain: 'policy',
        errorPhase: 'decide',
        rule: expect.stringMatching(/^builtin\//),
      })
    })

    it('timeouts and cancels are distinguished', async () => {
      await bench.cordon.run('sleep 300 # audited-timeout', { timeoutMs: 1_000 })
      await bench.cordon.run('sleep 300 # audited-cancel', { signal: AbortSignal.timeout(100) })
      expect(bench.cordon.audit.query({ text: 'audited-timeout' })[0]).toMatchObject({ outcome: 'timeout' })
      expect(bench.cordon.audit.query({ text: 'audited-cancel' })[0]).toMatchObject({ outcome: 'cancelled' })
    })

    it('the chain of records verifies', () => {
      expect(bench.cordon.audit.verify()).toMatchObject({ ok: true })
    })
  })

  describe('transactions', () => {
    /** Everything a roll-back must bring back, of everything in a directory. */
    const stateOf = (folder: string): unknown =>
      readdirSync(bench.path(folder), { recursive: true, encoding: 'utf8' })
        .sort()
        .map((name) => {
          const { mode, mtimeMs, nlink } = lstatSync(bench.path(folder, name))
          const content = mode & 0o100000 && !(mode & 0o020000) ? bench.read(`${folder}/${name}`) : null
          return { name, mode, mtimeMs, nlink, content }
        })
    const furnish = (folder: string): void => {
      bench.write(`${folder}/kept.txt`, 'kept')
      bench.write(`${folder}/sub/gone.txt`, 'gone')
      symlinkSync('kept.txt', bench.path(folder, 'link'))
      chmodSync(bench.path(folder, 'kept.txt'), 0o640)
    }
    const havoc =
      'echo x > kept.txt; chmod 777 kept.txt; rm -r sub; ln -sf nowhere link; echo new > new.txt; mkdir made'

    it('a failing command leaves every file as it was: content, mode, times, links, deletions, new files', async () => {
      furnish('havoc')
      const before = stateOf('havoc')
      const result = await bench.cordon.run(`${havoc}; exit 2`, { cwd: 'havoc', profile: 'restores' })
      expect(result).toMatchObject({ exitCode: 2, transaction: { outcome: 'rolled-back' } })
      expect(stateOf('havoc')).toEqual(before)
    })

    it('a success and an exit of 1 keep their changes', async () => {
      expect(await bench.cordon.run('echo new > success.txt', { profile: 'restores' })).toMatchObject({
        transaction: { outcome: 'committed' },
      })
      expect(await bench.cordon.run('echo new > one.txt; exit 1', { profile: 'restores' })).toMatchObject({
        transaction: { outcome: 'committed' },
      })
      expect([bench.read('success.txt'), bench.read('one.txt')]).toEqual(['new\n', 'new\n'])
    })

    it('the exit codes that roll back can be listed in the profile', async () => {
      await bench.cordon.run('echo x > listed.txt; exit 1', { profile: 'restores-1' })
      await bench.cordon.run('echo x > unlisted.txt; exit 2', { profile: 'restores-1' })
      expect([existsSync(bench.path('listed.txt')), existsSync(bench.path('unlisted.txt'))]).toEqual([false, true])
    })

    it('a timeout and a cancel roll back', async () => {
      const late = await bench.cordon.run('echo x > late.txt; sleep 300', { timeoutMs: 3_000, profile: 'restores' })
      const abort = new AbortController()
      const cancelled = await bench.cordon.run('echo x > cancelled.txt; echo up; sleep 300', {
        profile: 'restores',
        signal: abort.signal,
        onEvent: ({ type }) => type === 'output' && abort.abort(),
      })
      expect([late.transaction?.outcome, cancelled.transaction?.outcome]).toEqual(['rolled-back', 'rolled-back'])
      expect([existsSync(bench.path('late.txt')), existsSync(bench.path('cancelled.txt'))]).toEqual([false, false])
    })

    it('what was restored and deleted is counted in the result, an event and the audit', async () => {
      furnish('counted')
      const events: Event[] = []
      const result = await bench.cordon.run('echo x > kept.txt; rm sub/gone.txt; echo > new.txt; exit 3', {
        cwd: 'counted',
        profile: 'restores',
        onEvent: (event) => events.push(event),
      })
      expect(result.transaction).toMatchObject({ restored: 2, deleted: 1 })
      expect(events.find(({ type }) => type === 'rolled-back')).toMatchObject({ report: { restored: 2, deleted: 1 } })
      expect(bench.cordon.audit.query({ id: result.id })).toMatchObject([
        { outcome: 'rollback', restored: 2, deleted: 1 },
      ])
    })

    it('a command that only reads is not secured', async () => {
      expect(await bench.cordon.run('cat success.txt')).toMatchObject({ transaction: null })
    })

    it('scope globs say what is secured', async () => {
      mkdirSync(bench.path('src'), { recursive: true })
      await bench.cordon.run('echo x > src/inside.txt; echo x > outside.txt; exit 2', { profile: 'scoped' })
      expect(existsSync(bench.path('src/inside.txt'))).toBe(false)
      expect(existsSync(bench.path('outside.txt'))).toBe(true)
    })

    it('what cannot be secured is refused where the profile requires it, and else runs with a warning', async () => {
      bench.write('large.bin', 'x'.repeat(20_000))
      const script = 'echo y >> large.bin; exit 2'
      await refusal(bench.cordon.run(script, { profile: 'tiny-required' }), 'SNAPSHOT_FAILED')
      expect(bench.read('large.bin')).toHaveLength(20_000)
      const warned = await bench.cordon.run(script, { profile: 'tiny' })
      expect(warned.transaction?.warning).toMatch(/rollback unavailable/)
    })

    it('in review a command waits: its diff is seen, then it is kept or discarded, and can be undone later', async () => {
      bench.write('reviewed.txt', 'old\n')
      const wait = async () => {
        const { transaction } = await bench.cordon.run('echo new > reviewed.txt', { profile: 'reviewed' })
        expect(transaction).toMatchObject({ outcome: 'waiting-for-review', id: expect.any(String) })
        expect(bench.read('reviewed.txt')).toBe('old\n')
        return transaction?.id ?? ''
      }
      await bench.cordon.transactions.settle(await wait(), 'discard')
      expect(bench.read('reviewed.txt')).toBe('old\n')
      const id = await wait()
      expect(bench.cordon.transactions.diff(id)[0]?.text).toMatch(/^-old\n\+new$/m)
      await bench.cordon.transactions.settle(id, 'keep')
      expect(bench.read('reviewed.txt')).toBe('new\n')
      await bench.cordon.transactions.undo(id)
      expect(bench.read('reviewed.txt')).toBe('old\n')
    })
  })
})
