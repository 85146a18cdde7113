import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { evidenceLine } from '../../../src/core/model/run/evidence.js'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { createCordon } from '../../../src/node.js'
import {
  launchAndCollect,
  plainProfile,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { needs } from '../../tools.js'
import { type PackageServer, startPackageServer } from '../support/package-server.js'
import { quoted } from '../support/plain-tools.js'
import { askingProxy } from '../support/proxy-client.js'

const NODE = `fetch(process.argv[1]).then((answer) => answer.text()).then((text) => process.stdout.write(text))`
const PYTHON = 'import sys,urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode(), end="")'
const NPM = '--no-audit --no-fund --no-update-notifier --fetch-retries 0 --cache "$PWD/.npm" --loglevel error'
const PIP = 'pip3 --disable-pip-version-check --no-cache-dir --retries 0 -q download --no-deps'

/** Common commands without proxy settings. The source host is a parameter. */
const TOOLS: readonly (readonly [
  name: string,
  script: (place: string) => string,
  said: string,
  ...tools: readonly string[],
])[] = [
  ['curl', (at) => `curl -sf http://${at}/hello`, 'hello', 'curl'],
  ['wget', (at) => `wget -q --tries=1 -O - http://${at}/hello`, 'hello', 'wget'],
  ['git', (at) => `git clone -q http://${at}/repository.git clone && cat clone/file`, 'from git'],
  ['npm view', (at) => `npm view ${NPM} --registry http://${at} tiny version`, '1.0.0\n'],
  [
    'npm install',
    (at) => `npm install ${NPM} --registry http://${at} tiny >/dev/null && node -p 'require("tiny")'`,
    'from npm\n',
  ],
  ['Python', (at) => `/usr/bin/python3 -c ${quoted(PYTHON)} http://${at}/hello`, 'hello', 'python3'],
  ['Node', (at) => `node -e ${quoted(NODE)} http://${at}/hello`, 'hello'],
  [
    'pip',
    (at) => `${PIP} --trusted-host ${at} --index-url http://${at}/simple -d got tiny && ls got`,
    'tiny-1.0.0-py3-none-any.whl\n',
    'pip3',
  ],
]
const SECURE: typeof TOOLS = [
  ['curl with TLS', (at) => `curl -skf https://${at}/hello`, 'hello', 'curl'],
  ['git with TLS', (at) => `GIT_SSL_NO_VERIFY=1 git clone -q https://${at}/repository.git c && cat c/file`, 'from git'],
]
const MS = 120_000

/** Tests unmodified tools in a sandbox with a list of hosts. */
export function networkTools(who: string): void {
  let launcher: Launcher
  let server: PackageServer
  let served: string
  let workspace: string
  let evidence: string[]
  beforeAll(async () => {
    launcher = createBubblewrap()
    served = temporaryDirectory()
    server = await startPackageServer(served)
  }, MS)
  afterAll(async () => {
    await launcher.close()
    await server.close()
    removeDirectory(served)
  })
  beforeEach(() => {
    workspace = temporaryDirectory()
    evidence = []
  })
  afterEach(() => removeDirectory(workspace))

  const run = async (script: string, hosts: readonly string[]) => {
    const sandbox = sandboxAround(workspace, { ...plainProfile, network: { hosts } })
    const plan = planOf(workspace, sandbox, { script, timeoutMs: MS })
    const heard = await launchAndCollect(launcher, plan, { onEvidence: (one) => evidence.push(evidenceLine(one)) })
    return { ending: heard.ending, stdout: heard.stdout.toString(), stderr: heard.stderr.toString() }
  }
  const works = async (script: string, host: string, said: string): Promise<void> => {
    const { stdout, stderr } = await run(script, [host])
    expect([stdout, evidence], stderr).toEqual([said, []])
  }
  const isRefused = async (script: string, host: string): Promise<void> => {
    const { ending } = await run(script, ['localhost:1', '*.listed.test'])
    expect(ending).not.toEqual({ how: 'exited', status: 0 })
    // A tool that resolves the name first gets no further.
    const reported = evidence.map((line) =>
      line.replace(/^network: unlisted\.test refused$/, `network: ${host} refused`),
    )
    expect(new Set(reported)).toEqual(new Set([`network: ${host} refused`]))
  }

  describe(`${who}: through a list of hosts`, () => {
    it.for(TOOLS)('%s reaches a listed host', { timeout: MS }, ([_name, script, said, ...tools], context) => {
      needs(context, ...tools)
      const place = `localhost:${server.port}`
      return works(script(place), place, said)
    })
    it.for(SECURE)('%s reaches a listed host', { timeout: MS }, ([_name, script, said, ...tools], context) => {
      needs(context, ...tools)
      const place = `localhost:${server.securePort}`
      return works(script(place), place, said)
    })
    it.for([...TOOLS, ...SECURE])(
      '%s is refused an unlisted host, and the evidence names it',
      { timeout: MS },
      ([_name, script, , ...tools], context) => {
        needs(context, ...tools)
        return isRefused(script('unlisted.test:8080'), 'unlisted.test:8080')
      },
    )

    it('a refused host is in the result and the audit log, and a reached one in neither', async () => {
      const home = join(served, 'home')
      mkdirSync(join(home, '.config/cordon'), { recursive: true })
      const place = `localhost:${server.port}`
      const settings = `[profiles.online]\nextends = "workspace"\nnetwork = { hosts = ["${place}"] }\n`
      writeFileSync(join(home, '.config/cordon/cordon.toml'), settings)
      const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home }
      const stateDirectory = join(served, 'state')
      const cordon = await createCordon({ workspace, stateDirectory, env, profile: 'online' })
      try {
        const listed = askingProxy('HTTP', 'localhost', server.port, '/hello')
        const unlisted = askingProxy('HTTP', 'unlisted.test', 80)
        const result = await cordon.run(`${listed}; ${unlisted} >/dev/null; exit 1`)
        const facts = [
          'network: unlisted.test:80 refused; to allow: cordon allow host unlisted.test:80 --profile online',
        ]
        expect([result.stdout, result.evidence]).toEqual(['hello', facts])
        expect(cordon.audit.query()).toMatchObject([{ evidence: facts }])
        await expect(cordon.run('curl -sf http://unlisted.test/')).rejects.toThrow(/unlisted\.test/)
      } finally {
        await cordon.close()
      }
    }, 120_000)
  })
}
