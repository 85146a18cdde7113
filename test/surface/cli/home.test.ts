import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCordon } from '../../../src/node.js'
import { people } from '../../host/private-home/person.js'
import { cordon as commandLine } from './in-process.js'

const person = people()

async function withHomes() {
  const { home, workspace, state, open } = person()
  const cordon = await open()
  const env = { PATH: process.env['PATH'], HOME: home }
  const engine = await openCordon({ workspace, stateDirectory: state, env })
  const call = (...argv: string[]) => commandLine(argv, { engine: { ...engine, close: async () => {} } })
  return { home, state, cordon, call, close: () => engine.close() }
}

describe('cordon home', () => {
  it('shows the size and the entries of each private home of the workspace', async () => {
    const { cordon, call, close, state } = await withHomes()
    expect((await call('home')).stdout).toBe(
      'There is no private home here yet. The first command in the sandbox makes one.\n',
    )
    await cordon.run('head -c 300000 /dev/zero > ~/big; mkdir ~/.npm; head -c 200000 /dev/zero > /tmp/scratch')
    const { stdout, status } = await call('home')
    expect(status).toBe(0)
    expect(stdout).toMatch(/^workspace {2}.*projects\/app\n/)
    expect(stdout).toMatch(/ 30\d\.\d kB {2}~\/big\n/)
    expect(stdout).toMatch(/ 2\d\d\.\d kB {2}\/tmp\n/)
    const [info] = JSON.parse((await call('home', '--json')).stdout)
    expect(info).toMatchObject({
      profile: 'workspace',
      in_use_by: [],
      path: expect.stringContaining(join(state, 'homes')),
    })
    expect(info.entries.map(({ name }: { name: string }) => name)).toContain('.npm')
    expect((await call('home', '--profile', 'developer')).stdout).toContain('no private home')
    await close()
  })

  it('reset empties it once the person agrees, and only what was named', async () => {
    const { cordon, call, close } = await withHomes()
    await cordon.run('echo 1 > ~/x; mkdir -m 0 ~/closed ~/.config/deep')
    await cordon.run('echo 1 > ~/x', { profile: 'developer' })
    const refused = await call('home', 'reset')
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.stderr).toContain('--yes')
    expect((await cordon.run('cat ~/x')).stdout).toBe('1\n')
    expect((await call('home', 'reset', '--profile', 'workspace', '--yes')).stderr).toMatch(
      /^Removed the private home: /,
    )
    expect((await cordon.run('ls ~/x; ls -A ~')).stdout).toBe('.cache\n.config\n.gitconfig\n.local\nprojects\n')
    expect((await cordon.run('cat ~/x', { profile: 'developer' })).stdout).toBe('1\n')
    await close()
  })

  it('reset refuses while a command runs in it', async () => {
    const { home, cordon, call, close } = await withHomes()
    const task = cordon.start('echo up; read -r line')
    while (task.logs('stdout', 0).text === '') await new Promise((soon) => setImmediate(soon))
    const refused = await call('home', 'reset', '--yes')
    expect(refused).toMatchObject({ status: 125 })
    expect(refused.stderr).toContain(`(pid ${process.pid})`)
    task.endInput()
    await task.result
    expect((await call('home', 'reset', '--yes')).status).toBe(0)
    expect(existsSync(home)).toBe(true)
    await close()
  })
})
