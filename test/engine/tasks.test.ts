import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../src/index.js'
import { temporaryCordons } from '../temporary-cordon.js'

async function readUntil(task: Task, text: string): Promise<string> {
  let seen = ''
  let offset = 0
  while (!seen.includes(text)) {
    const { text: more, next } = task.logs('stdout', offset)
    seen += more
    offset = next
    if (more === '') await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return seen
}

/** A process that was killed but that its new parent has not collected yet (state Z) runs no more. */
const alive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('a background task', () => {
  const open = temporaryCordons()

  it('a background task is listed while it runs, gives new output, takes input and ends by itself', async () => {
    const { cordon } = await open()
    const task = cordon.start('echo ready; while read -r line; do echo "got $line"; done', { agent: 'a' })
    await readUntil(task, 'ready')
    expect(cordon.tasks.list('a')).toMatchObject([{ id: task.id, state: 'running', background: true, agent: 'a' }])
    task.input('one\n')
    await readUntil(task, 'got one')
    task.endInput()
    expect(await task.result).toMatchObject({ exitCode: 0, stdout: 'ready\ngot one\n' })
    expect(cordon.tasks.list()).toMatchObject([{ id: task.id, state: 'ended' }])
    expect(cordon.tasks.get(task.id).logs('stdout', 6)).toMatchObject({ text: 'got one\n' })
  })

  it('a stopped task gives a cancelled result, and its process is gone', async () => {
    const { cordon } = await open()
    const task = cordon.start('echo ready; sleep 300')
    await readUntil(task, 'ready')
    const pid = cordon.tasks.list()[0]?.pid ?? 0
    expect(alive(pid)).toBe(true)
    expect(await task.stop()).toMatchObject({ cancelled: true, exitCode: 130 })
    expect(alive(pid)).toBe(false)
    expect(() => task.input('late')).toThrow(/has ended/)
  })

  it('a refused task rejects its result and does not crash the process', async () => {
    const { cordon } = await open()
    const task = cordon.start('sudo id')
    await expect(task.result).rejects.toMatchObject({ code: 'COMMAND_BLOCKED' })
  })
})

describe('an agent', () => {
  const open = temporaryCordons()

  it('endAgent() ends all commands of one agent, running and waiting, and of no other', async () => {
    const { cordon } = await open()
    const mine = [
      cordon.start('echo up; sleep 300', { agent: 'a' }),
      cordon.start('echo up; sleep 300', { agent: 'a' }),
    ]
    const other = cordon.start('echo up; sleep 300', { agent: 'b' })
    await Promise.all([...mine, other].map((task) => readUntil(task, 'up')))
    const pids = cordon.tasks.list('a').map((t) => t.pid ?? 0)
    expect(await cordon.endAgent('a')).toBe(2)
    expect(pids.map(alive)).toEqual([false, false])
    expect(cordon.tasks.list('b')).toMatchObject([{ state: 'running' }])
    expect(cordon.status()).toMatchObject({ running: 1, waiting: 0, agents: [{ agent: 'b', running: 1 }] })
    await other.stop()
  })

  it('an agent runs commands at once up to its limit, and the others wait for a slot', async () => {
    const { cordon } = await open()
    const ceiling = cordon.profiles.get(null).concurrency.perAgent
    const held = Array.from({ length: ceiling }, () => cordon.start('echo up; read -r _', { agent: 'a' }))
    await Promise.all(held.map((task) => readUntil(task, 'up')))
    const late = cordon.run('echo late', { agent: 'a' })
    await cordon.run('echo other', { agent: 'b' })
    expect(cordon.status().agents).toMatchObject([{ agent: 'a', running: ceiling, waiting: 1, ceiling }])
    held[0]?.endInput()
    expect((await late).stdout).toBe('late\n')
    for (const task of held)
      if (cordon.tasks.list().some((t) => t.id === task.id && t.state === 'running')) task.endInput()
    await Promise.all(held.map((task) => task.result))
  })
})
