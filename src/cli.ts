import { readFileSync } from 'node:fs'
import { main } from './surface/cli/main.js'
import type { CliDependencies } from './surface/cli/terminal/dependencies.js'
import { processIo } from './surface/cli/terminal/io.js'

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0'
}

/**
 * Opens the engine in the directory of the command line. The engine is loaded here: `--help` and `--version` do not
 * pay for it.
 */
const openEngine: CliDependencies['openEngine'] = async (options) => {
  const { openCordon } = await import('./node.js')
  return openCordon({ ...options, caller: 'cli' })
}

const allow: CliDependencies['allow'] = async (request) => {
  const { allowForUser } = await import('./node.js')
  return allowForUser(request)
}

const agentChanges: CliDependencies['agentChanges'] = async ({ uninstall, ...request }) => {
  const { planRemoval, planSetUp } = await import('./agent-setup.js')
  return uninstall ? { agents: [], notes: [], ...planRemoval(request) } : planSetUp(request)
}

const examineAgents: CliDependencies['examineAgents'] = async (request) => {
  const setup = await import('./agent-setup.js')
  const engine = await openEngine({ workspace: request.cwd })
  try {
    const lastEvent = (agent: string): string | null => engine.audit.query({ agent, limit: 1 })[0]?.at ?? null
    return await setup.examineAgents({ ...request, lastEvent })
  } finally {
    await engine.close()
  }
}

const serveMcp: CliDependencies['serveMcp'] = async ({ workspace, http, ...request }) => {
  const { openCordon } = await import('./node.js')
  const engine = await openCordon({ workspace, warm: 2, caller: 'mcp' })
  try {
    if (http === undefined) {
      const { serveMcp } = await import('./surface/mcp/serve-mcp.js')
      await serveMcp(engine, request)
    } else {
      const { serveHttp } = await import('./surface/mcp/serve-http.js')
      const access = engine.httpAccess(http.say)
      await serveHttp(engine, { ...request, port: http.port, ...access }).finally(access.end)
    }
  } finally {
    await engine.close()
  }
}

/** Stands for `cordon-shell`; it cannot be typed. */
const SHELL = '\0shell'

async function run([command, ...words]: readonly string[]): Promise<number> {
  if (command === SHELL) {
    const { runAgentShell } = await import('./agent-shell.js')
    return runAgentShell(words)
  }
  return main(process.argv.slice(2), processIo(version()), { openEngine, allow, agentChanges, examineAgents, serveMcp })
}

/** The exit status of the command line this process was started with. */
export const status: Promise<number> = run(process.argv.slice(2))
