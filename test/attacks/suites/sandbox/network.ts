import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainProfile } from '../../../contract/launcher-plan.js'
import type { AttackedSandbox } from '../../support/attacked-sandbox.js'

/** Attacks the network. */
export function networkAccess(who: string, sandbox: AttackedSandbox): void {
  describe(`${who}: the network`, () => {
    let server: Server
    let port: number
    beforeEach(async () => {
      server = createServer((socket) => socket.end('reached'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      port = typeof address === 'object' && address !== null ? address.port : 0
    })
    afterEach(() => new Promise((resolve) => server.close(resolve)))

    it("without network only the sandbox's own addresses are reachable", async () => {
      const { stdout } = await sandbox.run(
        `cat < /dev/tcp/127.0.0.1/${port}; cat < /dev/tcp/1.1.1.1/53; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "`,
      )
      expect(stdout).toBe('lo\n')
    })

    it('with full network the host is reached', async () => {
      expect((await sandbox.run(`cat < /dev/tcp/127.0.0.1/${port}`, { ...plainProfile, network: 'full' })).stdout).toBe(
        'reached',
      )
    })

    it('sockets of the host, by path or by abstract name, are out of reach', async () => {
      const path = `${sandbox.workspace}/host.sock`
      const local = createServer((socket) => socket.end('reached'))
      await new Promise<void>((resolve) => local.listen(path, resolve))
      const code = (name: string) =>
        `use Socket; socket(my $s, 1, 1, 0) && connect($s, pack_sockaddr_un(${name})) && sysread($s, my $got, 9); print $got // $! + 0, "\\n"`
      const seen = await sandbox.perl(code(`'${path}'`), { ...plainProfile, network: 'full' })
      await new Promise((resolve) => local.close(resolve))
      expect(seen.stdout).toBe('1\n')
      expect((await sandbox.run('ls /run /var/run/ 2>/dev/null | grep -v : | sort -u')).stdout.trim()).toBe('')
    })

    it('socket families that ignore network namespaces are refused', async () => {
      const code =
        'for my $family (40, 38, 17, 31, 44) { print socket(my $s, $family, $family == 40 ? 1 : 2, 0) ? "made" : $! + 0, "\\n" }'
      expect((await sandbox.perl(code)).stdout).toBe('97\n97\n97\n97\n97\n')
    })
  })
}
