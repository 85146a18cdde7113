import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'

/** Gives every test a repository of a person with one commit, and an engine whose workspace it is. */
export function personRepository() {
  let top = ''
  let cordon: Cordon
  const evidence: string[] = []
  const workspace = (): string => join(top, 'workspace')
  const marker = (): string => join(top, 'marker')
  const env = (): NodeJS.ProcessEnv => ({
    PATH: '/usr/bin:/bin',
    HOME: `${top}/home`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_EDITOR: 'true',
  })
  const AS = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always']
  const git = (...args: string[]): string =>
    execFileSync('git', [...AS, ...args], { cwd: workspace(), env: env(), stdio: 'pipe' }).toString()
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(workspace(), name)), { recursive: true })
    writeFileSync(join(workspace(), name), text)
  }
  beforeEach(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-person-')))
    for (const name of ['workspace', 'home', 'state']) mkdirSync(join(top, name))
    writeFileSync(join(top, 'home/.gitconfig'), '[user]\n\tname = t\n\temail = t@t\n')
    git('init', '-q', '-b', 'main')
    write('a', 'a\n')
    git('add', '-A')
    git('commit', '-qm', 'first')
    cordon = await createCordon({ workspace: workspace(), stateDirectory: join(top, 'state'), env: env(), warm: 0 })
  })
  afterEach(async () => {
    await cordon.close()
    await removeQuarantined(evidence.splice(0))
    await removeTree(top)
  })
  return {
    workspace,
    marker,
    git,
    write,
    top: () => top,
    cordon: () => cordon,
    read: (name: string): string | null =>
      existsSync(join(workspace(), name)) ? readFileSync(join(workspace(), name), 'utf8') : null,
    /** Runs a person's git, without checking the result. */
    tries: (...args: string[]) =>
      spawnSync('git', [...AS, ...args], { cwd: workspace(), env: env(), timeout: 20_000, encoding: 'utf8' }),
    /** Tells if any part of a command ran on the host. */
    hasRun: (): boolean => existsSync(marker()),
    forget: (): void => rmSync(marker(), { force: true }),
    async run(script: string) {
      const result = await cordon.run(script)
      evidence.push(...result.evidence)
      return result
    },
  }
}
