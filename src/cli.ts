import { readFileSync } from 'node:fs'
import { processIo } from './surface/cli/io.js'
import { main } from './surface/cli/main.js'

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0'
}

/**
 * The exit status of the command line this process was started with. The engine and the MCP server are loaded by the command that
 * needs them: `--help` and `--version` pay for neither.
 */
export const status: Promise<number> = main(process.argv.slice(2), processIo(version()), {
  openEngine: async (options) => (await import('./node.js')).openCordon(options),
  allow: async (request) => (await import('./node.js')).allowForUser(request),
  serveMcp: async ({ workspace, ...request }) => {
    const { serveMcp } = await import('./surface/mcp/serve-mcp.js')
    const engine = await (await import('./node.js')).openCordon({ workspace, warm: 2 })
    try {
      await serveMcp(engine, request)
    } finally {
      await engine.close()
    }
  },
})
