import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { CERTIFICATE, KEY } from './certificate.js'
import { storedZip } from './stored-zip.js'

const METADATA = 'Metadata-Version: 2.1\nName: tiny\nVersion: 1.0.0\n'
const WHEEL = 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n'

/** Makes a repository as plain files, a package for npm and one for pip, as small as possible. */
function fill(top: string): void {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: top, stdio: 'pipe', env: { PATH: '/usr/bin:/bin', HOME: top } })
  run('git', 'init', '-q', 'source')
  writeFileSync(join(top, 'source/file'), 'from git')
  const git = ['-C', 'source', '-c', 'user.name=t', '-c', 'user.email=t@t']
  run('git', ...git, 'add', 'file')
  run('git', ...git, 'commit', '-qm', 'first')
  run('git', 'clone', '-q', '--bare', 'source', 'repository.git')
  run('git', '-C', 'repository.git', 'update-server-info')
  mkdirSync(join(top, 'package'))
  writeFileSync(join(top, 'package/package.json'), '{"name":"tiny","version":"1.0.0","main":"index.js"}')
  writeFileSync(join(top, 'package/index.js'), 'module.exports = "from npm"')
  run('tar', 'czf', 'tiny-1.0.0.tgz', 'package')
  const info = 'tiny-1.0.0.dist-info'
  const record = `tiny.py,,\n${info}/METADATA,,\n${info}/WHEEL,,\n${info}/RECORD,,\n`
  const wheel = storedZip([
    ['tiny.py', 'x = 1'],
    [`${info}/METADATA`, METADATA],
    [`${info}/WHEEL`, WHEEL],
    [`${info}/RECORD`, record],
  ])
  writeFileSync(join(top, 'tiny-1.0.0-py3-none-any.whl'), wheel)
}

function packument(top: string, origin: string): string {
  const tarball = readFileSync(join(top, 'tiny-1.0.0.tgz'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const dist = { tarball: `${origin}/tiny-1.0.0.tgz`, integrity }
  return JSON.stringify({
    name: 'tiny',
    'dist-tags': { latest: '1.0.0' },
    versions: { '1.0.0': { name: 'tiny', version: '1.0.0', dist } },
  })
}

const LINK = '<a href="/tiny-1.0.0-py3-none-any.whl">tiny-1.0.0-py3-none-any.whl</a>'

function serving(top: string): RequestListener {
  return (request, response) => {
    const path = decodeURIComponent((request.url ?? '/').replace(/\?.*$/, ''))
    const file = join(top, path)
    if (path === '/hello') response.end('hello')
    else if (path === '/tiny') {
      response.setHeader('Content-Type', 'application/json')
      response.end(packument(top, `http://${request.headers.host}`))
    } else if (path === '/simple/tiny/') {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<!DOCTYPE html><html><body>${LINK}</body></html>`)
    } else if (existsSync(file) && statSync(file).isFile()) response.end(readFileSync(file))
    else response.writeHead(404).end()
  }
}

export interface PackageServer {
  readonly port: number
  readonly securePort: number
  close(): Promise<void>
}

/** Serves the files of `fill`, with and without TLS, on this machine's loopback. */
export async function startPackageServer(top: string): Promise<PackageServer> {
  fill(top)
  const plain = createServer(serving(top))
  const secure = createSecure({ key: KEY, cert: CERTIFICATE }, serving(top))
  const servers = [plain, secure]
  await Promise.all(servers.map((one) => new Promise<void>((done) => one.listen(0, '127.0.0.1', done))))
  const portOf = (server: Server): number => (server.address() as AddressInfo).port
  return {
    port: portOf(plain),
    securePort: portOf(secure),
    close: async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((one) => new Promise((done) => one.close(done))))
    },
  }
}
