import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive, textOf, thisProcess } from '../../../../src/host/transaction/paths/process-identity.js'
import { keyOf } from '../../../../src/host/transaction/undo-store/locations.js'
import { Locks } from '../../../../src/host/transaction/undo-store/root-locks.js'
import { bundled } from '../support/bundled.js'

let top: string
let directory: string
let locks: Locks
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cordon-lock-'))
  directory = join(top, 'locks')
  locks = new Locks(directory)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const lockOf = (root: string): string => join(directory, `${keyOf(root)}.lock`)
/** As if a process that is gone had left it: the number is that of a living one, which began at another time. */
const DEAD = `${process.pid} 00000000-0000-0000-0000-000000000000 1`

describe('the lock of a root', () => {
  it('lets one in at a time, in any order of their roots', async () => {
    const order: string[] = []
    const other = new Locks(directory)
    const stay = (name: string) => async () => {
      order.push(`${name} in`)
      await new Promise(setImmediate)
      order.push(`${name} out`)
    }
    await Promise.all([locks.during(['/a', '/b'], stay('first')), other.during(['/b', '/a'], stay('second'))])
    expect(order).toEqual(['first in', 'first out', 'second in', 'second out'])
    expect(readdirSync(directory).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  it('is given back when the work fails', async () => {
    await expect(locks.during(['/a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await locks.during(['/a'], async () => 'in')).toBe('in')
  })

  it('is not taken from a living process', async () => {
    mkdirSync(join(lockOf('/a'), textOf(thisProcess())), { recursive: true })
    const order: string[] = []
    const entered = locks.during(['/a'], async () => order.push('entered'))
    order.push('given back')
    rmSync(lockOf('/a'), { recursive: true })
    await entered
    expect(order).toEqual(['given back', 'entered'])
  })

  it('is taken over from a process that died, and leaves nothing behind', async () => {
    mkdirSync(join(lockOf('/a'), DEAD), { recursive: true })
    mkdirSync(lockOf('/b'))
    expect(await locks.during(['/a', '/b'], async () => 'in')).toBe('in')
    expect(readdirSync(directory)).toEqual([])
  })

  it('needs no preparation, and none that lasts', async () => {
    expect(await locks.during(['/a'], async () => 'in')).toBe('in')
    rmSync(directory, { recursive: true })
    expect(await locks.during(['/a'], async () => 'in')).toBe('in')
  })

  it('that a process died while making is cleaned up', () => {
    mkdirSync(join(directory, 'dead', DEAD), { recursive: true })
    mkdirSync(join(directory, 'alive', textOf(thisProcess())), { recursive: true })
    locks.clean()
    expect(readdirSync(directory)).toEqual(['alive'])
  })

  it('of dead processes goes to one at a time when several break it at once', async () => {
    const script = await bundled('lock-child.ts', join(top, 'racer.mjs'))
    const args = [script, top, '/a', '40', lockOf('/a')]
    mkdirSync(join(lockOf('/a'), DEAD), { recursive: true })
    const racers = Array.from({ length: 4 }, () =>
      spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }),
    )
    const said = racers.map((racer) => text(racer.stdout as Readable))
    writeFileSync(join(top, 'go'), '')
    expect(await Promise.all(said)).toEqual(racers.map(() => 'done\n'))
  }, 60_000)
})

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); await sleep(5)) if (Date.now() > end) throw new Error('never')
}

describe('a process of which nothing is left but its exit status', () => {
  it('a zombie process does not hold a lock', async () => {
    // The program that takes the place of the shell does not wait for the shell's child, which ends only then.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 300'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    try {
      const pid = Number(await new Promise((resolve) => parent.stdout?.once('data', resolve)))
      const stat = (of: number | undefined): string => readFileSync(`/proc/${of}/stat`, 'latin1')
      await until(() => stat(parent.pid).includes('(sleep)'))
      ;(parent.stdio[3] as Writable).end()
      await until(() => stat(pid).includes(') Z '))
      const fields = stat(pid).split(') ')[1]?.split(' ') ?? []
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
      expect(isAlive({ pid, started: `${boot} ${fields[19]}` })).toBe(false)
      expect(isAlive(thisProcess())).toBe(true)
    } finally {
      parent.kill('SIGKILL')
    }
  })
})
