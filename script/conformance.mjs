// Runs the official MCP conformance suite against `cordon mcp --http`. Usage: npm run conformance [-- SCENARIO…]
// The suite (51 MB) needs Node 22; both are installed in the user's cache, outside the checkout.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

const SUITE = '@modelcontextprotocol/conformance@0.1.16'
/** The scenarios that need no tools, prompts or resources of the suite's own reference server. */
const APPLICABLE = ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']

const cache =
  process.env.CORDON_CONFORMANCE_DIR ??
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cordon-conformance')
const modules = join(cache, 'node_modules')
if (!existsSync(join(modules, '@modelcontextprotocol/conformance'))) {
  mkdirSync(cache, { recursive: true })
  const words = ['install', '--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...words, SUITE, `node-linux-${process.arch}@22`], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(125)
}

const root = mkdtempSync(join(tmpdir(), 'cordon-conformance-'))
const env = { ...process.env, HOME: root, XDG_STATE_HOME: join(root, 'state') }
const bin = join(import.meta.dirname, '../dist/bin.cjs')
const server = spawn(process.execPath, [bin, 'mcp', '--http'], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
const [url, tokenFile] = await listening()
const token = readFileSync(tokenFile, 'utf8').trim()
const proxy = createServer(forward)
await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve))

const suite = join(modules, '@modelcontextprotocol/conformance/dist/index.js')
const node22 = join(modules, `node-linux-${process.arch}/bin/node`)
const scenarios = process.argv.length > 2 ? process.argv.slice(2) : APPLICABLE
let failed = 0
for (const scenario of scenarios) {
  const address = `http://localhost:${proxy.address().port}/mcp`
  const words = [suite, 'server', '--url', address, '--scenario', scenario, '--output-dir', root]
  const run = spawn(node22, words, { stdio: 'inherit' })
  const [status] = await once(run, 'exit')
  console.log(`${status === 0 ? 'passed' : 'FAILED'}  ${scenario}`)
  if (status !== 0) failed += 1
}
proxy.close()
proxy.closeAllConnections()
server.kill('SIGTERM')
await once(server, 'exit')
rmSync(root, { recursive: true, force: true })
process.exitCode = failed === 0 ? 0 : 1

async function listening() {
  let said = ''
  for await (const chunk of server.stderr) {
    said += chunk
    const found = /Serving MCP at (\S+)\. The bearer token is in (\S+)\.\n/.exec(said)
    if (found) return found.slice(1)
  }
  throw new Error(said)
}

/**
 * Adds the token, which the suite cannot send. Host and Origin stay what the suite says, but for the port of the
 * proxy.
 */
function forward(incoming, outgoing) {
  const ours = `localhost:${proxy.address().port}`
  const theirs = new URL(url).host
  const rename = (value) => value?.replace(ours, theirs).replace(ours.replace('localhost', '127.0.0.1'), theirs)
  const headers = { ...incoming.headers, host: rename(incoming.headers.host), authorization: `Bearer ${token}` }
  if (headers.origin) headers.origin = rename(headers.origin)
  const sent = request(url, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode, answer.headers)
    answer.pipe(outgoing)
  })
  sent.on('error', () => outgoing.destroy())
  incoming.pipe(sent)
}
