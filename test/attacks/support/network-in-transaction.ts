import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCordon } from '../../../src/node.js'
import { askingProxy } from './proxy-client.js'

/** Tests a list of hosts in a transaction, which an ordinary user has in own namespaces. */
export function networkInTransaction(who: string): void {
  describe(`${who}: listed hosts in a transaction`, () => {
    it('in a transaction only listed hosts are reached, and its changes are kept or rolled back', async () => {
      const server = createServer((_request, response) => response.end('served'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-hosts-')))
      const [workspace, home] = [join(root, 'workspace'), join(root, 'home')]
      for (const folder of [workspace, join(home, '.config/cordon')]) mkdirSync(folder, { recursive: true })
      const profile = `[profiles.online]\nextends = "workspace"\nnetwork = { hosts = ["127.0.0.1:${port}"] }\ntransaction = { mode = "always", on_failure = "restore" }\n`
      writeFileSync(join(home, '.config/cordon/cordon.toml'), profile)
      const env = { PATH: '/usr/bin:/bin', HOME: home }
      const cordon = await createCordon({ workspace, stateDirectory: join(root, 'state'), env, profile: 'online' })
      try {
        const get = (host: string): string => askingProxy('HTTP', host, port)
        const kept = await cordon.run(`${get('127.0.0.1')} > kept`)
        expect([kept.exitCode, kept.evidence]).toEqual([0, []])
        expect(readFileSync(join(workspace, 'kept'), 'utf8')).toBe('served')
        const back = await cordon.run(`${get('127.0.0.1')} > back; ${get('127.0.0.2')}; exit 7`)
        expect([back.exitCode, back.evidence[0]]).toEqual([
          7,
          `network: 127.0.0.2:${port} refused; to allow: cordon allow host 127.0.0.2:${port} --profile online`,
        ])
        expect(existsSync(join(workspace, 'back'))).toBe(false)
      } finally {
        await cordon.close()
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
        rmSync(root, { recursive: true, force: true })
      }
    }, 60_000)
  })
}
