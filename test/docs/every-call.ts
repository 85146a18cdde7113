import {
  type Approval,
  buildCommand,
  type Cordon,
  CordonError,
  type CordonOptions,
  checkBlocklist,
  createCordon,
  createPathGuard,
  DENIED_PATTERNS,
  DENIED_PROGRAMS,
  ERRORS,
  type Event,
  effectiveShellCommand,
  errorToWire,
  escapeArg,
  extractBlocks,
  LIMITS,
  type MarkdownOutcome,
  type Result,
  type RunOptions,
  SHELLS,
  type Tool,
  toText,
  toWire,
  validateCommand,
} from '../../src/index.js'

/** Uses every call of the library. The type check is the test: `strict`, `exactOptionalPropertyTypes` and no cast. */
export async function everyCall(agent: string | undefined): Promise<readonly string[]> {
  const lines: string[] = []
  const options: CordonOptions = {
    workspace: '.',
    profile: {
      extends: 'workspace',
      network: 'none',
      rules: [{ program: ['git'], args: ['push'], verdict: 'ask', because: 'Ask.' }],
    },
    settings: { profiles: { mine: { extends: 'strict' } }, permissions: { deny: ['Bash(curl:*)'] } },
    onApproval: async (approval: Approval, signal) => (signal.aborted || approval.note !== null ? 'deny' : 'once'),
    log: (level, message, fields) => void lines.push(`${level} ${message} ${Object.keys(fields).join()}`),
    env: process.env,
    filters: [{ match: 'terraform plan', drop: [/^Refreshing/], what: 'refreshes' }],
    unattended: undefined,
  }
  const cordon = await createCordon(options)
  try {
    await commands(cordon, agent, lines)
    await several(cordon, lines)
    await background(cordon, lines)
    await tools(cordon, lines)
    past(cordon, lines)
    lines.push(...texts())
  } catch (error) {
    lines.push(...explained(error))
  } finally {
    await cordon.close()
  }
  return lines
}

async function commands(cordon: Cordon, agent: string | undefined, lines: string[]): Promise<void> {
  const onEvent = (event: Event): void => void lines.push(`${event.type} ${event.agent ?? '-'} ${event.tool}`)
  const options: RunOptions = {
    agent,
    signal: new AbortController().signal,
    onEvent,
    timeoutMs: 'none',
    env: { A: '1' },
  }
  cordon.env.set({ SKILL: 'x' })
  const result: Result = await cordon.run('npm test', {
    ...options,
    clearEnv: true,
    stripEnv: ['AWS_'],
    blocked: ['rm'],
  })
  cordon.env.clear()
  lines.push(toText(result), JSON.stringify(toWire(result)), ...result.notices, result.claimSource)
  const other = await cordon.exec('git', ['status'], { transaction: 'review', maxOutput: 1_000, keepOutput: true })
  lines.push((await cordon.logs(other.id, 'stdout', 0, 10)).text)
  const { verdict, facts, plan } = cordon.check('curl x | sh', options)
  lines.push(verdict, String(facts.hosts.length), plan?.digest ?? '-')
  const leave = await cordon.authorize('ls', { agent, outsideSandbox: true })
  lines.push(leave.digest, cordon.authorizeFiles(['a'], { agent, access: 'read' }).verdict ?? '-')
}

async function several(cordon: Cordon, lines: string[]): Promise<void> {
  const results = await cordon.sequence(['echo 1', { program: 'echo', args: ['2'] }], { agent: 'a' })
  lines.push(...results.map(({ stdout }) => stdout), (await cordon.mustSucceed('true')).id)
  const outcome: MarkdownOutcome | null = await cordon.runMarkdown('```bash\nls\n```', {
    continueOnError: true,
    from: 0,
  })
  lines.push(outcome?.summary ?? '', String(outcome?.next ?? outcome?.filter?.rawChars ?? 0))
}

async function background(cordon: Cordon, lines: string[]): Promise<void> {
  const task = cordon.start('cat', { agent: 'a' })
  task.input('x')
  task.endInput()
  lines.push(task.logs('stdout', 0).text, (await task.result).stdout)
  for (const { command, state, ended } of cordon.tasks.list(null)) lines.push(command, state, ended?.outcome ?? '-')
  await cordon.tasks.get(task.id).stop()
  lines.push(String(await cordon.endAgent(null)), String(cordon.status().running))
}

async function tools(cordon: Cordon, lines: string[]): Promise<void> {
  const own: Tool = {
    name: 'where',
    label: 'Where',
    description: 'Resolves a path.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    execute: async (_id, { path }, signal, context) => ({
      success: signal?.aborted !== true,
      text: context?.paths?.resolve(String(path)) ?? '',
      json: null,
    }),
  }
  cordon.tools.register(own)
  lines.push(...cordon.tools.definitions().map(({ label }) => label), cordon.tools.get('exec').name)
  const answer = await cordon.tools.execute({
    id: '1',
    name: 'where',
    arguments: { path: '.' },
    context: { agent: 'a' },
  })
  lines.push(answer.text, answer.approval?.id ?? answer.error?.code ?? '-', String(cordon.tools.list().length))
  await cordon.recordCall({ toolName: 'mine', toolCallId: '2', arguments: { a: 1 } }, async () => 'done')
}

function past(cordon: Cordon, lines: string[]): void {
  for (const { id } of cordon.transactions.history({ limit: 1 }))
    lines.push(String(cordon.transactions.diff(id).length))
  for (const { id, state } of cordon.approvals.list())
    if (state === 'pending') cordon.approvals.answer(id, 'denied', 'no')
  const [record] = cordon.audit.query({ tool: 'bash', since: '2026-01-01T00:00:00Z', outcome: 'success', limit: 1 })
  lines.push(record?.toolName ?? '-', String(cordon.audit.verify().ok), cordon.profiles.get(null).name)
}

function texts(): readonly string[] {
  const script = effectiveShellCommand('bash', ['-c', 'ls']) ?? buildCommand('ls', ['-l', escapeArg('a b')])
  validateCommand(script, [...DENIED_PATTERNS])
  const guard = createPathGuard(['/workspace'])
  const blocked = checkBlocklist(script) ?? guard.resolve('a')
  return [blocked, ...extractBlocks('text'), ...DENIED_PROGRAMS, ...SHELLS, String(LIMITS.scriptBytes)]
}

function explained(error: unknown): readonly string[] {
  if (!(error instanceof CordonError)) throw error
  if (error.is('APPROVAL_REQUIRED')) return [error.details.approval?.id ?? '', error.details.approval?.expires ?? '']
  if (error.is('COMMAND_BLOCKED')) return error.details.decision?.because.map(({ rule }) => rule) ?? []
  if (error.is('COMMAND_FAILED')) return [error.details.result?.stderr ?? '', String(error.details.results?.length)]
  if (error.is('SETTINGS_INVALID')) return [`${error.details.file}:${error.details.line}`]
  return [ERRORS[error.code].say, JSON.stringify(errorToWire(error))]
}
