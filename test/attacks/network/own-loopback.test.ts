import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Network } from '../../../src/core/model/policy/plan.js'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { needs } from '../../tools.js'
import { GET, quoted } from '../support/plain-tools.js'
import { askingProxy } from '../support/proxy-client.js'

/** Serves a page inside the sandbox, runs the rest of the line once the port is open, and ends the server. */
const serving = (port: number, script: string): string =>
  `node -e ${quoted(`require('http').createServer((_, a) => a.end('inside')).listen(${port}, () => console.log('up'))`)} > up & server=$!; until [ -s up ]; do sleep 0.02; done; ${script}; kill $server; wait $server`

let launcher: Launcher
let host: Server
let port: number
let workspace: string
let evidence: string[]
beforeAll(async () => {
  launcher = createBubblewrap()
  host = createServer((_request, response) => response.end('of the host'))
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  port = (host.address() as AddressInfo).port
})
afterAll(async () => {
  await launcher.close()
  host.closeAllConnections()
  await new Promise((resolve) => host.close(resolve))
})
beforeEach(() => {
  workspace = temporaryDirectory()
  evidence = []
})
afterEach(() => removeDirectory(workspace))

async function run(script: string, network: Network) {
  const plan = planOf(workspace, sandboxAround(workspace, { ...plainProfile, network }), { script })
  const { ending, stdout } = await launchAndCollect(launcher, plan, {
    onEvidence: (one) => evidence.push(evidenceLine(one)),
  })
  return { status: ending.how === 'exited' ? ending.status : null, stdout: stdout.toString() }
}

const BARE = ['localhost', '127.0.0.1', '127.0.0.2', '::1', '0.0.0.0', '*']

describe("the loopback inside a sandbox is the sandbox's own", () => {
  const networks: readonly (readonly [string, Network])[] = [
    ['no network', 'none'],
    ['listed hosts', { hosts: ['example.org'] }],
    ['localhost listed without a port', { hosts: BARE }],
  ]

  it.each(networks)('%s: a server is reached from the same command, on any port', async (_, network) => {
    const get = `${GET}; get localhost 8077 /; get 127.0.0.1 8077 /`
    expect((await run(serving(8077, get), network)).stdout).toBe('insideinside')
    expect(evidence).toEqual([])
  })

  it.for(networks)('%s: curl reaches a server by each name of the loopback', async ([, network], context) => {
    needs(context, 'curl')
    const { stdout } = await run(
      serving(3000, 'for at in localhost 127.0.0.1 127.0.0.7 0.0.0.0; do curl -s "http://$at:3000/"; done'),
      network,
    )
    expect([stdout, evidence]).toEqual(['inside'.repeat(4), []])
  })

  it.for(networks)('%s: curl fails as it does in a shell where nothing listens', async ([, network], context) => {
    needs(context, 'curl')
    expect(await run('curl -s http://localhost:3999/', network)).toEqual({ status: 7, stdout: '' })
    expect(evidence).toEqual([])
  })

  it.each(networks)("%s: the host's server on the same port is out of reach", async (_, network) => {
    const { stdout } = await run(
      `exec 2>/dev/null; ${GET}; for at in 127.0.0.1 localhost ::1 0.0.0.0 127.0.0.2; do get "$at" ${port} / && echo "$at"; done; echo done`,
      network,
    )
    expect(stdout).toBe('done\n')
  })

  it('the proxy never leads to the loopback of the host', async () => {
    const names = ['localhost', '127.0.0.1', 'LOCALHOST.', '[::1]', '0.0.0.0', '127.0.0.2', '[::ffff:127.0.0.1]']
    const asked = names.flatMap((name) => (['HTTP', 'tunnel'] as const).map((how) => askingProxy(how, name, port)))
    const { stdout } = await run(asked.join('; echo; '), { hosts: BARE })
    expect(new Set(stdout.split('\n'))).toEqual(new Set(['403']))
  })

  it('a loopback entry with a port leads to that port of the host only', async () => {
    const other = createServer((_request, response) => response.end('not listed'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const unlisted = (other.address() as AddressInfo).port
    try {
      const get = `${GET}; get localhost ${port} /; get 127.0.0.1 ${unlisted} / 2>/dev/null || echo no; get localhost 8077 /`
      const { stdout } = await run(serving(8077, get), { hosts: [`localhost:${port}`] })
      expect(stdout).toBe('of the hostno\ninside')
      expect(evidence).toEqual([])
    } finally {
      await new Promise((resolve) => other.close(resolve))
    }
  })

  it('a server inside on a listed loopback port fails with EADDRINUSE', async () => {
    const listen = `node -e ${quoted(`require('net').createServer().on('error', (e) => console.log(e.code)).listen(${port}, '127.0.0.1')`)}`
    expect((await run(listen, { hosts: [`localhost:${port}`] })).stdout).toBe('EADDRINUSE\n')
  })
})

describe('programs and the loopback inside', () => {
  it.for([
    ['wget', 'wget -qO- http://localhost:8077/', 'wget'],
    [
      'the requests of Python',
      `/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen("http://localhost:8077/").read().decode())'`,
      'python3',
    ],
    ['the fetch of Node', `node -e 'fetch("http://127.0.0.1:8077/").then((a) => a.text()).then(console.log)'`, 'node'],
  ] as const)('%s reaches it though a proxy is set', async ([, script, tool], context) => {
    needs(context, tool)
    expect((await run(serving(8077, script), { hosts: ['example.org'] })).stdout.trim()).toBe('inside')
  })
})
