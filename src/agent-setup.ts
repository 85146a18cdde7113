import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import {
  AGENT_TABLE,
  type AgentEntry,
  guardedHook,
  guardedProgram,
  type Homes,
  type Programs,
} from './host/agent-settings/agent-table.js'
import {
  type ChangedFiles,
  type FileChange,
  openChangedFiles,
  type WantedFile,
} from './host/agent-settings/changed-files.js'
import { type CodexHook, listCodexHooks, trustLines } from './host/agent-settings/codex-trust.js'
import { type FoundAgent, findAgents, onPath } from './host/agent-settings/find-agents.js'
import { type Fired, fireHook, killedHookBlocks, type RegisteredHook } from './host/agent-settings/fire-hook.js'
import { importPermissions, permissionsToml } from './host/agent-settings/import-permissions.js'
import { UnreadableSettings, valueAt } from './host/agent-settings/settings-edit.js'
import { diffOf } from './host/agent-settings/show-diff.js'
import { readUntrustedFile } from './host/untrusted-files/read-untrusted-file.js'

const MAX_SETTINGS = 16 * 1024 * 1024

export interface SetUpOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Agents by name; all that are found where there is none. */
  readonly only: readonly string[]
  /** Write the administrators' files below this root instead of the user's own. */
  readonly managedRoot: string | null
  /** Give Codex the person's consent to the hook. */
  readonly trustCodex: boolean
  readonly importPermissions: boolean
}

export interface AgentFinding {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string | null
}

/** A dry run of the set-up: the agents, each edit as a diff, and remarks. */
export interface SetUpPlan {
  readonly agents: readonly {
    readonly name: string
    readonly version: string | null
    readonly program: string | null
  }[]
  readonly diffs: readonly string[]
  readonly notes: readonly string[]
  /** Does it, and fires the registered hooks. */
  apply(): Promise<readonly AgentFinding[]>
}

/** Plans `cordon init`. Nothing is written before `apply`. */
export function planSetUp(options: SetUpOptions): SetUpPlan {
  const homes: Homes = { home: options.env.HOME || homedir(), env: options.env }
  const programs = ownPrograms(options.env)
  const files = openChangedFiles(stateOf(homes))
  const found = options.managedRoot === null ? findAgents(homes, options.only) : everyAgent(options.only)
  const notes = [...notesOn(homes, programs)]
  const wanted = distinct([
    ...found.flatMap(({ entry }) => wantedOf(entry, homes, programs, options.managedRoot)),
    ...(options.importPermissions && options.managedRoot === null ? importedFile(homes, notes) : []),
    ...(options.managedRoot === null ? [] : bindingSettings(options.managedRoot, notes)),
  ])
  const planned = wanted.flatMap((file) => readable(file, notes, () => files.plan(file)))
  return {
    agents: found.map(({ entry, version, program }) => ({ name: entry.title, version, program })),
    diffs: planned.map(diffOf),
    notes,
    async apply() {
      for (const file of wanted) readable(file, [], () => files.apply(file))
      if (options.managedRoot !== null) return []
      const fired = await fireAll(found, homes, programs, options.cwd)
      return [...fired, ...(await codexTrust(found, homes, { files, ...options }))]
    },
  }
}

/** Plans `cordon init --uninstall`: restores each file, or removes only Cordon's entries from a changed file. */
export function planRemoval({ env }: Pick<SetUpOptions, 'env'>): Pick<SetUpPlan, 'diffs' | 'apply'> {
  const files = openChangedFiles(stateOf({ home: env.HOME || homedir(), env }))
  return {
    diffs: files.planRemoval().map(diffOf),
    async apply() {
      return files.remove().map(({ path, after }) => ({
        name: path,
        ok: true,
        detail: after === null ? 'removed' : 'restored',
        fix: null,
      }))
    },
  }
}

/** Examines the hooks for `cordon doctor --agents`: registered, trusted, fires, fails closed. */
export async function examineAgents({
  env,
  cwd,
  lastEvent,
}: Pick<SetUpOptions, 'env' | 'cwd'> & {
  /** When the agent's hook was last heard of; null for never. */
  readonly lastEvent: (agent: string) => string | null
}): Promise<readonly AgentFinding[]> {
  const homes: Homes = { home: env.HOME || homedir(), env }
  const programs = ownPrograms(env)
  const found = findAgents(homes)
  const files = openChangedFiles(stateOf(homes))
  const findings: AgentFinding[] = []
  for (const agent of found) {
    const { entry } = agent
    const missing = wantedOf(entry, homes, programs, null).filter((file) => isMissing(files, file))
    const name = `${entry.title}${agent.version === null ? '' : ` ${agent.version}`}`
    if (missing.length > 0) {
      const detail = `not registered in ${missing.map(({ path }) => path).join(', ')}`
      findings.push({ name, ok: false, detail, fix: `Run \`cordon init ${entry.id}\`.` })
      continue
    }
    const heard = lastEvent(entry.id)
    const detail = `registered; ${heard === null ? 'no event yet' : `last event ${heard}`}`
    findings.push({ name, ok: true, detail, fix: null })
    findings.push(...(await fireAll([agent], homes, programs, cwd)))
    findings.push(await failsClosed(entry, programs, cwd))
  }
  return [...findings, ...(await codexTrust(found, homes, { cwd, trustCodex: false, files }))]
}

function isMissing(files: ChangedFiles, file: WantedFile): boolean {
  try {
    return files.plan(file) !== null
  } catch {
    return true
  }
}

const stateOf = ({ home, env }: Homes): string => join(env.XDG_STATE_HOME || join(home, '.local/state'), 'cordon')

const everyAgent = (only: readonly string[]): readonly FoundAgent[] =>
  AGENT_TABLE.filter(({ id }) => only.length === 0 || only.includes(id)).map((entry) => ({
    entry,
    program: null,
    version: null,
  }))

/** The command line itself, by the name on PATH where that is this very program: it survives an upgrade. */
function ownPrograms({ PATH = '' }: SetUpOptions['env']): Programs {
  const own = realOf(process.argv[1] ?? '')
  const named = onPath('cordon', PATH)
  const cordon = named !== null && realOf(named) === own ? named : own
  const beside = [join(dirname(own), 'shell.cjs'), join(dirname(own), 'cordon-shell')]
  const shell = onPath('cordon-shell', PATH) ?? beside.find((path) => existsSync(path)) ?? null
  return { cordon, shell }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function wantedOf(
  entry: AgentEntry,
  homes: Homes,
  programs: Programs,
  managedRoot: string | null,
): readonly WantedFile[] {
  if (managedRoot === null) return entry.wanted(homes, programs)
  return entry.managed(programs).map((file) => ({ ...file, path: join(managedRoot, file.path) }))
}

/** Two agents may read one file. */
const distinct = (files: readonly WantedFile[]): readonly WantedFile[] =>
  files.filter(({ path }, index) => files.findIndex((other) => other.path === path) === index)

function readable(file: WantedFile, notes: string[], change: () => FileChange | null): readonly FileChange[] {
  try {
    const made = change()
    return made === null ? [] : [made]
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSettings) && !(thrown instanceof TypeError)) throw thrown
    notes.push(`${file.path} is left as it is: ${thrown.message}. Mend it, then run \`cordon init\` again.`)
    return []
  }
}

function* notesOn({ home, env }: Homes, { shell }: Programs): Generator<string> {
  if (shell === null) yield 'cordon-shell is not installed, so the hooks decide but nothing runs in the sandbox.'
  const settings = textOf(join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json'))
  if (settings === null) return
  if (valueAt(settings, ['sandbox', 'enabled']) === true)
    yield "Claude Code's own sandbox is on (sandbox.enabled): a sandbox inside a sandbox does not start. Set it to false."
  const prefix = valueAt(settings, ['env', 'CLAUDE_CODE_SHELL_PREFIX'])
  if (typeof prefix === 'string' && !['cordon-shell', 'shell.cjs'].includes(basename(prefix)))
    yield `Claude Code has another shell prefix (${prefix}). Remove it to run commands in the sandbox.`
}

function importedFile({ home, env }: Homes, notes: string[]): readonly WantedFile[] {
  const from = join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'settings.json')
  const settings = textOf(from)
  if (settings === null) return []
  const imported = importPermissions(settings)
  for (const { entry, why } of imported.unread) notes.push(`The permission ${entry} is not imported: ${why}.`)
  const path = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'cordon/cordon.toml')
  const block = permissionsToml(imported, from)
  const own = textOf(path)
  if (block === '' || own?.includes(block)) return []
  if (own !== null && /^\s*(?:\[permissions\]|permissions\s*[.=])/m.test(own)) {
    notes.push(`${path} has permissions already, so those of Claude Code are not imported.`)
    return []
  }
  return [{ path, agent: 'cordon', edits: [], block }]
}

const BINDING = `# Binding for all users of this machine, by \`cordon init --managed\`.
profile = "workspace"
allowed_profiles = ["strict", "workspace", "readonly", "developer"]
`

/** Settings of the system bind every user's: no profile without a sandbox. */
function bindingSettings(root: string, notes: string[]): readonly WantedFile[] {
  const path = join(root, 'etc/cordon/cordon.toml')
  const own = textOf(path)
  if (own === null || own.includes(BINDING)) return [{ path, agent: 'cordon', edits: [], block: BINDING }]
  notes.push(`${path} is there already and is left as it is.`)
  return []
}

/** Fires each hook by the very command line that is in the settings. */
async function fireAll(
  found: readonly FoundAgent[],
  homes: Homes,
  programs: Programs,
  cwd: string,
): Promise<readonly AgentFinding[]> {
  const findings: AgentFinding[] = []
  for (const { entry } of found) {
    const hook = registeredHook(entry, homes, programs)
    if (hook === null) continue
    const fired = await fireHook(hook, entry.mustDeny, cwd)
    findings.push({ name: `${entry.title} hook`, ...outcomeOf(fired) })
  }
  return findings
}

function outcomeOf({ denied, isCovered, status, said }: Fired): Omit<AgentFinding, 'name'> {
  if (denied) return { ok: true, detail: 'denied `sudo id`, as it must', fix: null }
  if (isCovered)
    return {
      ok: false,
      detail: `something printed before the answer, so the agent would run the command: ${said.split('\n')[0]?.slice(0, 200)}`,
      fix: 'If a startup file such as ~/.bashrc prints, let it print only in a terminal: [[ $- == *i* ]] && …',
    }
  return {
    ok: false,
    detail: `did not deny \`sudo id\` (exit ${status ?? 'none'}): ${said.slice(0, 200)}`,
    fix: 'Run `cordon doctor`, then `cordon init` again.',
  }
}

async function failsClosed(entry: AgentEntry, programs: Programs, cwd: string): Promise<AgentFinding> {
  const name = `${entry.title} hook, killed`
  if (entry.id === 'opencode' || entry.id === 'pi')
    return { name, ok: true, detail: 'the extension denies what has no answer', fix: null }
  const blocks = await killedHookBlocks(hookOf(entry, programs), cwd)
  if (blocks) return { name, ok: true, detail: 'blocks the command', fix: null }
  return { name, ok: false, detail: 'does not block the command', fix: `Run \`cordon init ${entry.id}\` again.` }
}

/** Agents start their hooks by bash where there is one. */
const SHELL = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'

function hookOf({ id }: AgentEntry, { cordon }: Programs): RegisteredHook {
  if (id === 'opencode' || id === 'pi') return { program: cordon, args: ['hook', id] }
  if (id !== 'copilot')
    return { program: SHELL, args: ['-c', guardedHook(cordon, id === 'vscode' ? 'claude-code' : id)] }
  const [program, ...args] = guardedProgram(cordon, id)
  return { program, args }
}

/** The hook, where its command line is in the file that the agent reads. */
function registeredHook(entry: AgentEntry, homes: Homes, programs: Programs): RegisteredHook | null {
  const [file] = entry.wanted(homes, programs)
  const text = file && textOf(file.path)
  const hook = hookOf(entry, programs)
  const words = entry.id === 'copilot' || entry.id === 'opencode' || entry.id === 'pi' ? programs.cordon : hook.args[1]
  return text?.includes(JSON.stringify(words)) ? hook : null
}

/** Codex skips a hook that the person has not trusted, in silence. */
async function codexTrust(
  found: readonly FoundAgent[],
  homes: Homes,
  { cwd, trustCodex, files }: { readonly cwd: string; readonly trustCodex: boolean; readonly files: ChangedFiles },
): Promise<readonly AgentFinding[]> {
  const codex = found.find(({ entry }) => entry.id === 'codex')
  if (codex === undefined || codex.program === null) return []
  const name = 'Codex trust'
  const hooks = await listCodexHooks(codex.program, cwd, { ...homes.env, HOME: homes.home })
  const own = hooks?.filter(({ command }) => command.includes('hook codex')) ?? []
  const untrusted = own.filter(({ trustStatus }) => trustStatus !== 'trusted' && trustStatus !== 'managed')
  if (own.length === 0)
    return [{ name, ok: false, detail: 'Codex does not list the hook', fix: 'Start Codex and open /hooks.' }]
  if (untrusted.length === 0) return [{ name, ok: true, detail: own[0]?.trustStatus ?? '', fix: null }]
  if (!trustCodex) {
    const fix = 'Start Codex, open /hooks and trust it; or run `cordon init codex --trust-codex-hook`.'
    return [{ name, ok: false, detail: `the hook is ${untrusted[0]?.trustStatus}, so Codex skips it`, fix }]
  }
  files.apply(trustFile(homes, untrusted))
  return [{ name, ok: true, detail: 'trusted now, as you said', fix: null }]
}

const trustFile = ({ home, env }: Homes, hooks: readonly CodexHook[]): WantedFile => ({
  path: join(env.CODEX_HOME || join(home, '.codex'), 'config.toml'),
  agent: 'codex',
  edits: [],
  block: trustLines(hooks),
})

const textOf = (path: string): string | null =>
  readUntrustedFile(path, MAX_SETTINGS, 'follow')?.toString('utf8') ?? null
