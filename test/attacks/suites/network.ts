import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { askingProxy } from '../support/proxy-client.js'

/** Attacks a network of listed hosts. */
export function networkAttacks(who: string): void {
  let launcher: Launcher
  let server: Server
  let port: number
  let workspace: string
  let evidence: string[]
  beforeAll(async () => {
    launcher = createBubblewrap()
    server = createServer((request, response) =>
      response.end(`${request.method} ${request.url} ${request.headers.host}`),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(async () => {
    await launcher.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  beforeEach(() => {
    workspace = temporaryDirectory()
    evidence = []
  })
  afterEach(() => removeDirectory(workspace))

  const run = async (script: string, hosts: readonly string[]) => {
    const plan = planOf(workspace, sandboxAround(workspace, { ...plainProfile, network: { hosts } }), { script })
    const heard = await launchAndCollect(launcher, plan, { onEvidence: (one) => evidence.push(evidenceLine(one)) })
    return heard.stdout.toString()
  }

  describe(`${who}: a network of listed hosts`, () => {
    it('a listed host is reached by HTTP and by a tunnel, without evidence', async () => {
      const ways = ['HTTP', 'tunnel'] as const
      const script = ways.map((how) => askingProxy(how, '127.0.0.1', port, '/x?y=1')).join('; echo; ')
      const said = await run(script, [`127.0.0.1:${port}`])
      expect(said.split('\n')).toEqual(Array(2).fill(`GET /x?y=1 127.0.0.1:${port}`))
      expect(evidence).toEqual([])
    })

    it('every other host and port is refused, and the evidence names it', async () => {
      const asked = [
        askingProxy('HTTP', '127.0.0.1', port),
        askingProxy('tunnel', 'other.test', 80),
        askingProxy('tunnel', 'example.com', 443),
      ]
      expect(await run(asked.join('; echo; '), ['example.org'])).toBe('403\n403\n403')
      expect(evidence).toEqual([
        `network: 127.0.0.1:${port} refused`,
        'network: other.test:80 refused',
        'network: example.com:443 refused',
      ])
    })

    it('a listed name that leads to this machine is refused through the proxy', async () => {
      expect(await run(askingProxy('HTTP', 'localhost', port), ['*'])).toBe('403')
    })

    it('no other address, name server or host port is reachable, and attempts are reported', async () => {
      const said = await run(
        `exec 2>/dev/null; cat < /dev/tcp/127.0.0.1/${port}; cat < /dev/tcp/1.1.1.1/53; echo x > /dev/udp/8.8.8.8/53; getent hosts example.com; cat < /dev/tcp/1.1.1.1/80; cat < /dev/tcp/2606:4700::1111/443; echo $?`,
        ['example.org'],
      )
      expect(said).toBe('1\n')
      expect(new Set(evidence)).toEqual(
        new Set([
          'network: example.com refused',
          'network: 1.1.1.1:80 refused',
          ...(existsSync('/proc/net/if_inet6') ? ['network: [2606:4700::1111]:443 refused'] : []),
        ]),
      )
    })
  })
}
