import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Cordon, createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'
import { temporaryCordons } from '../../temporary-cordon.js'

const MS = 60_000
const open = temporaryCordons()
const evidence: string[] = []
const cordons: Cordon[] = []
const LIVE = '[profiles.live]\nextends = "workspace"\ntransaction = { mode = "off" }\n'
afterEach(async () => {
  for (const cordon of cordons.splice(0)) await cordon.close()
  await removeQuarantined(evidence.splice(0))
})

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

/** Makes many repositories, one of which git could use. */
function makeRepositories(names: readonly string[], usable: string): void {
  for (const name of names) {
    mkdirSync(name, { recursive: true })
    writeFileSync(join(name, 'HEAD'), 'ref: refs/heads/main\n')
  }
  for (const name of ['objects', 'refs', 'hooks']) mkdirSync(join(usable, name))
  writeFileSync(join(usable, 'config'), '[core]\n')
}

/** Returns index entries of that many repositories. */
const indexInfo = (names: readonly string[]): string =>
  names.map((name) => `160000 ${'1'.repeat(40)}\t${name}\n`).join('')

async function opened(transaction: 'auto' | 'off', make: (workspace: string) => void) {
  const { workspace, state } = await open()
  const env = { ...process.env, HOME: join(state, '../home'), XDG_CONFIG_HOME: join(state, '../home/.config') }
  mkdirSync(join(env.XDG_CONFIG_HOME, 'cordon'), { recursive: true })
  writeFileSync(join(env.XDG_CONFIG_HOME, 'cordon/cordon.toml'), LIVE)
  const cordon = await createCordon({
    workspace,
    stateDirectory: join(state, '../other'),
    env,
    profile: transaction === 'off' ? 'live' : 'workspace',
  })
  cordons.push(cordon)
  execFileSync('git', ['init', '-q', workspace])
  make(workspace)
  const run = async (script: string) => {
    const result = await cordon.run(script)
    evidence.push(...result.evidence)
    return result
  }
  return { run, workspace }
}

const CROWDS: readonly (readonly [string, string, (workspace: string) => void])[] = [
  [
    'submodules',
    '.git/modules/m7',
    (at) => {
      const modules = range(130).map((i) => join(at, `.git/modules/m${i}`))
      makeRepositories(modules, join(at, '.git/modules/m7'))
    },
  ],
  [
    'repositories in the index',
    'n7/.git',
    (at) => {
      const names = range(260).map((i) => `n${i}`)
      const repositories = names.map((name) => join(at, name, '.git'))
      makeRepositories(repositories, join(at, 'n7/.git'))
      execFileSync('git', ['update-index', '--index-info'], { cwd: at, input: indexInfo(names) })
    },
  ],
]

describe('more repositories than can be protected one by one', () => {
  it.each(CROWDS)(
    'too many repositories are reviewed in a transaction, and other changes are kept: %s',
    async (_, repository, make) => {
      const { run, workspace } = await opened('auto', make)
      const { exitCode, evidence } = await run(
        `echo a > a; printf '[core]\\n\\tfsmonitor = ./run\\n' > ${repository}/config; echo x > ${repository}/hooks/post-checkout; chmod +x ${repository}/hooks/post-checkout`,
      )
      expect(exitCode).toBe(0)
      expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('a\n')
      expect(readFileSync(join(workspace, repository, 'config'), 'utf8')).toBe('[core]\n')
      expect(existsSync(join(workspace, repository, 'hooks/post-checkout'))).toBe(false)
      expect(evidence.join('\n')).toMatch(/fsmonitor[\s\S]*post-checkout/)
    },
    MS,
  )

  it.each(CROWDS)(
    'a command without a transaction is refused, with the reason, if a root has too many repositories: %s',
    async (_, repository, make) => {
      const { run, workspace } = await opened('off', make)
      await expect(run(`echo x > ${repository}/config`)).rejects.toMatchObject({
        code: 'SANDBOX_UNAVAILABLE',
        message: expect.stringContaining('more git repositories'),
      })
      expect(readFileSync(join(workspace, repository, 'config'), 'utf8')).toBe('[core]\n')
    },
    MS,
  )

  it(
    'an index that a command filled with too many repositories is moved to quarantine',
    async () => {
      const { run, workspace } = await opened('off', () => undefined)
      writeFileSync(join(workspace, 'names'), indexInfo(range(260).map((i) => `n${i}`)))
      await run('mkdir -p n{0..259}/.git && git update-index --index-info < names')
      expect(existsSync(join(workspace, '.git/index'))).toBe(false)
    },
    MS,
  )
})
