import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../../src/core/model/basics/limits.js'
import { removeTree } from '../../../src/host/private-home/remove.js'
import { sizeOf } from '../../../src/host/private-home/size.js'
import { removeUnused } from '../../../src/host/private-home/unused.js'
import { Uses, usersOf } from '../../../src/host/private-home/uses.js'
import { people } from './person.js'

const person = people()
const NOW = Date.now()

describe('the size of a private home', () => {
  it('is reported to the next command if it exceeds the limit', async () => {
    const { open } = person('[profiles.workspace]\nlimits = { home_bytes = 1000000 }\n')
    const first = await open()
    expect((await first.run('head -c 1200000 /dev/zero > ~/x')).evidence).toEqual([])
    await first.close()
    const { evidence, exitCode } = await (await open()).run('true')
    expect(exitCode).toBe(0)
    expect(evidence.join()).toMatch(
      /^home: the private home .* more than limits\.home_bytes \(.*\).*`cordon home reset`/,
    )
  })

  it('ends in a refusal of every command when it is above twice the limit, until the home is smaller', async () => {
    const { state, open } = person('[profiles.workspace]\nlimits = { home_bytes = 1000000 }\n')
    const first = await open()
    await first.run('head -c 2500000 /dev/zero > ~/x')
    await first.close()
    const second = await open()
    await expect(second.run('true')).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringMatching(/more than twice limits\.home_bytes \(.*\)\. Empty it with `cordon home reset`/),
    })
    const name = readdirSync(join(state, 'homes')).find((one) => !one.startsWith('.')) ?? ''
    rmSync(join(state, 'homes', name, 'home/x'))
    expect((await second.run('true')).exitCode).toBe(0)
  })

  it('counts what a symlink is, not where it leads', async () => {
    const { home, write } = person()
    write('big/x', 'x'.repeat(1_000_000))
    mkdirSync(join(home, 'small'))
    symlinkSync(join(home, 'big'), join(home, 'small/link'))
    expect((await sizeOf(join(home, 'small'))).bytes).toBeLessThan(100_000)
  })
})

/** Homes in a state directory, one of them used long ago. */
function homes(state: string) {
  const root = (name: string): string => join(state, 'homes', name)
  const make = (name: string, age: number): void => {
    for (const path of ['home', 'uses', 'tmp/person/old/deep', 'tmp/person/new'])
      mkdirSync(join(root(name), path), { recursive: true })
    writeFileSync(join(root(name), 'home/x'), '')
    utimesSync(join(root(name), 'uses'), new Date(NOW - age), new Date(NOW - age))
  }
  return { root, make, directory: join(state, 'homes') }
}

describe('unused private homes', () => {
  it('are removed by age, unless a command runs in them', () => {
    const { state } = person()
    const { root, make, directory } = homes(state)
    make('old', 0)
    make('running', 0)
    const uses = new Uses(root('running'))
    uses.begin()
    removeUnused(directory, NOW + LIMITS.homeAgeMs + 60_000)
    expect(readdirSync(directory).filter((name) => !name.startsWith('.'))).toEqual(['running'])
    uses.end()
    expect(usersOf(root('running'))).toEqual([])
    uses.close()
    expect(readdirSync(join(root('running'), 'uses'))).toEqual([])
  })

  it('are removed however deep the directories are that a command made', () => {
    const top = person().state
    mkdirSync(top, { recursive: true })
    execFileSync('perl', ['-e', 'for (1..5000) { mkdir "d"; chdir "d" or die }'], { cwd: top })
    removeTree(join(top, 'd'))
    expect(readdirSync(top)).toEqual([])
  })

  it('are left alone where their directory cannot be written, without an error', () => {
    expect(() => removeUnused('/sys/kernel', NOW)).not.toThrow()
  })

  it('stay while they are younger; what is old in their /tmp goes', () => {
    const { state } = person()
    const { root, make, directory } = homes(state)
    make('one', 0)
    const later = NOW + LIMITS.tmpAgeMs + 60_000
    symlinkSync(join(state, 'victim'), join(root('one'), 'tmp/person/link'))
    mkdirSync(join(state, 'victim/kept'), { recursive: true })
    const recent = join(root('one'), 'tmp/person/new/file')
    writeFileSync(recent, '')
    utimesSync(recent, new Date(later), new Date(later))
    removeUnused(directory, later)
    expect(readdirSync(join(root('one'), 'tmp/person'))).toEqual(['new'])
    expect(existsSync(join(state, 'victim/kept'))).toBe(true)
    expect(existsSync(join(root('one'), 'home/x'))).toBe(true)
  })

  it('are not looked at again on the same day', () => {
    const { state } = person()
    const { root, make, directory } = homes(state)
    removeUnused(directory, NOW)
    expect(existsSync(directory)).toBe(false)
    make('one', 0)
    removeUnused(directory, NOW)
    utimesSync(join(root('one'), 'uses'), new Date(0), new Date(0))
    removeUnused(directory, NOW + 60_000)
    expect(readFileSync(join(root('one'), 'home/x'), 'utf8')).toBe('')
  })
})
