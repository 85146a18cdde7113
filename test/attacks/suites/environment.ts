import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Launcher } from '../../../src/engine/ports/ports.js'
import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import {
  launchAndCollect,
  planOf,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
} from '../../contract/launcher-plan.js'
import { needs } from '../../tools.js'

type Variables = readonly (readonly [name: string, value: string])[]
type Trick = readonly [name: string, variables: (at: string) => Variables, script: string, ...tools: readonly string[]]

const REPOSITORY = 'git init -q r; cd r; echo a > a; git add a; echo b > a'
const COMMIT = 'git -c user.name=t -c user.email=t@t commit -q --allow-empty'
const one =
  (name: string, value: (at: string) => string): ((at: string) => Variables) =>
  (at) => [[name, value(at)]]
const payload = (at: string): string => `sh ${at}/payload`

/** Variable that makes a program run another, and the program. */
const TRICKS: readonly Trick[] = [
  ['GIT_SSH_COMMAND', one('GIT_SSH_COMMAND', payload), 'git ls-remote ssh://x.test/y'],
  ['GIT_EXTERNAL_DIFF', one('GIT_EXTERNAL_DIFF', payload), `${REPOSITORY}; git diff`],
  ['GIT_EDITOR', one('GIT_EDITOR', payload), `${REPOSITORY}; ${COMMIT}`],
  ['EDITOR', one('EDITOR', payload), `${REPOSITORY}; ${COMMIT}`],
  ['PAGER', one('PAGER', payload), `perl -e 'system $ENV{PAGER}'`],
  [
    'GIT_CONFIG_COUNT',
    (at) => [
      ['GIT_CONFIG_COUNT', '1'],
      ['GIT_CONFIG_KEY_0', 'alias.x'],
      ['GIT_CONFIG_VALUE_0', `!${payload(at)}`],
    ],
    'git x',
  ],
  ['BASH_ENV', one('BASH_ENV', (at) => `${at}/payload`), 'bash -c true'],
  ['ENV', one('ENV', (at) => `${at}/payload`), 'sh -i </dev/null'],
  ['PS4', one('TRACE', (at) => `$(${payload(at)})`), 'PS4=$TRACE; set -x; true'],
  ['NODE_OPTIONS', one('NODE_OPTIONS', (at) => `--require ${at}/payload.cjs`), 'node -e 0'],
  ['PYTHONSTARTUP', one('PYTHONSTARTUP', (at) => `${at}/payload.py`), '/usr/bin/python3 -i </dev/null', 'python3'],
  ['PERL5OPT', one('PERL5OPT', (at) => `-I${at} -Mpayload`), 'perl -e 1'],
  ['LUA_INIT', one('LUA_INIT', (at) => `os.execute("${payload(at)}")`), 'lua -e ""', 'lua'],
]

/** Tests variables that make a program run another. That program runs in the same sandbox. */
export function environmentAttacks(who: string): void {
  let launcher: Launcher
  let top: string
  let workspace: string
  beforeAll(() => {
    launcher = createBubblewrap({ warm: 1 })
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    top = temporaryDirectory()
    workspace = `${top}/work`
    for (const made of [workspace, `${top}/outside`]) mkdirSync(made)
    writeFileSync(`${top}/outside/secret`, 'the secret')
    const code = `echo ran >> ${workspace}/ran; for f in ${top}/outside/written /etc/cordon-was-here; do (echo x > $f) 2>/dev/null; done; cat ${top}/outside/secret >> ${workspace}/stolen 2>/dev/null; kill -9 ${process.pid} 2>/dev/null; true`
    writeFileSync(`${workspace}/payload`, code)
    writeFileSync(`${workspace}/payload.cjs`, `require('child_process').execSync('sh ${workspace}/payload')`)
    writeFileSync(`${workspace}/payload.py`, `import os; os.system('sh ${workspace}/payload')`)
    writeFileSync(`${workspace}/payload.pm`, `system('sh ${workspace}/payload'); 1;`)
  })
  afterEach(() => removeDirectory(top))

  const run = async (script: string, variables: Variables): Promise<void> => {
    const plan = planOf(workspace, sandboxAround(workspace), { script, timeoutMs: 60_000 })
    await launchAndCollect(launcher, { ...plan, env: [...plan.env, ...variables] })
  }
  const ran = (): number => (existsSync(`${workspace}/ran`) ? readFileSync(`${workspace}/ran`, 'utf8').length : 0)
  const damage = () => [
    existsSync(`${top}/outside/written`),
    existsSync('/etc/cordon-was-here'),
    existsSync(`${workspace}/stolen`) ? readFileSync(`${workspace}/stolen`, 'utf8') : '',
  ]

  describe(`${who}: a variable that runs something`, () => {
    it.for(TRICKS)(
      'a variable that runs a program runs it inside the sandbox: %s',
      { timeout: 120_000 },
      async ([_name, variables, script, ...tools], context) => {
        needs(context, ...tools)
        const set = variables(workspace)
        await run(script, set)
        const byRequest = ran()
        expect(byRequest).toBeGreaterThan(0)
        const exported = set.map(([name, value]) => `export ${name}='${value}'`).join('; ')
        await run(`rm -rf r; ${exported}; ${script}`, [])
        expect(ran()).toBeGreaterThan(byRequest)
        expect(damage()).toEqual([false, false, ''])
      },
    )
  })

  describe(`${who}: paths with odd names`, () => {
    it('the starting directory does not become writable', async () => {
      const plan = planOf(workspace, sandboxAround(workspace), {
        script: 'echo x > cordon-was-here',
        cwd: '/usr/share',
      })
      expect((await launchAndCollect(launcher, plan)).ending).not.toEqual({ how: 'exited', status: 0 })
      expect(existsSync('/usr/share/cordon-was-here')).toBe(false)
    })

    it('a path that begins like the workspace, or differs in case, is not the workspace', async () => {
      const near = [`${workspace}-evil`, `${top}/WORK`, `${workspace}.`]
      for (const made of near) mkdirSync(made)
      await run(near.map((place) => `echo x > ${place}/y; echo x > ${place}//./y`).join('; '), [])
      expect(near.filter((place) => existsSync(`${place}/y`))).toEqual([])
    })

    it('a symlink that leads outside reaches nothing, within a path or at its end', async () => {
      await run(
        `ln -s ${top}/outside out; cat out/secret out/../outside/secret > stolen; echo x > out/written; true`,
        [],
      )
      expect(damage()).toEqual([false, false, ''])
    })
  })
}
