import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatAttributeOrder, parseAttributes } from '../../../src/host/helper-scripts/attributes-protocol.js'
import { helperScript, perlHelper } from '../../../src/host/helper-scripts/helper-script.js'
import { formatNetworkOrder, parseNetworkMessage } from '../../../src/host/helper-scripts/network-protocol.js'
import { formatZygoteOrder, parseZygoteAnswer } from '../../../src/host/helper-scripts/zygote-protocol.js'

let directory: string
const children: ChildProcess[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cordon-helpers-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    const ended = new Promise((done) => (child.exitCode === null ? child.once('exit', done) : done(null)))
    child.kill('SIGKILL')
    await ended
  }
  rmSync(directory, { recursive: true, force: true })
})

/** Starts a Perl helper from its text, as the engine does, and yields its lines. */
function started(name: Parameters<typeof perlHelper>[0], args: readonly string[]) {
  const file = join(directory, name)
  writeFileSync(file, perlHelper(name))
  const child = spawn('perl', [file, process.arch, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    send: (line: string) => child.stdin.write(`${line}\n`),
    next: async () => String((await lines.next()).value),
    end: () => new Promise((done) => child.once('exit', done).stdin.end()),
  }
}

describe('the attribute helper', () => {
  it('the attribute helper answers each order with one line, in order, and ends with its input', async () => {
    const helper = started('attributes.pl', [])
    const places = [directory, join(directory, 'missing')].map((path) => Buffer.from(path))
    helper.send(formatAttributeOrder({ verb: 'read', places }))
    helper.send(formatAttributeOrder({ verb: 'strip', places }))
    helper.send(formatAttributeOrder({ verb: 'write', place: Buffer.from(join(directory, 'missing')), wanted: {} }))
    expect(parseAttributes(await helper.next(), 2)).toEqual([{}, null])
    expect(parseAttributes(await helper.next(), 2)).toEqual([{}, null])
    expect(await helper.next()).toBe('No such file or directory')
    expect(await helper.end()).toBe(0)
  })
})

describe('the zygote host', () => {
  const start = () => {
    const devNull = openSync('/dev/null', 'r')
    return { helper: started('zygote.pl', [`${process.pid}`, `${devNull}`, '11', '7', '9', '10']), devNull }
  }

  it("the zygote host starts an order's program, reports its pid first, and opens the named descriptors", async () => {
    const { helper, devNull } = start()
    expect(parseZygoteAnswer(await helper.next())).toEqual({ kind: 'ready' })
    const [output, order] = [join(directory, 'output'), join(directory, 'order')]
    spawnSync('mkfifo', [output])
    writeFileSync(order, ['4', '0', '2', `4 OUT 1`, '1 OUT 1', '/bin/echo', 'a b'].join('\0'))
    const reader = spawn('cat', [output], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(reader)
    const writer = openSync(output, 'w')
    writeFileSync(order, readFileSync(order, 'utf8').replaceAll('OUT', `${writer}`))
    const file = openSync(order, 'r')
    let heard = ''
    reader.stdout.on('data', (chunk) => {
      heard += chunk
      if (heard.includes('a b')) closeSync(writer)
    })
    const ended = new Promise((done) => reader.once('close', done))
    helper.send(formatZygoteOrder({ verb: 'start', order: file }))
    await ended
    expect(heard).toMatch(/^\{"starter-pid": \d+\}\na b\n$/)
    expect(await helper.end()).toBe(0)
    for (const fd of [devNull, file]) closeSync(fd)
  })

  it('the zygote host reports a missing descriptor, and continues after an invalid line', async () => {
    const { helper, devNull } = start()
    await helper.next()
    helper.send('no order at all')
    helper.send(formatZygoteOrder({ verb: 'start', order: 999_999 }))
    expect(parseZygoteAnswer(await helper.next())).toEqual({ kind: 'unstarted', order: 999_999 })
    const clone = { template: '3', clone: '7', secret: 's', descriptors: [1, 1, 1, 1], cgroupFiles: [] } as const
    helper.send(formatZygoteOrder({ verb: 'clone', ...clone }))
    expect(parseZygoteAnswer(await helper.next())).toEqual({ kind: 'refused', template: '3', clone: '7' })
    await helper.end()
    closeSync(devNull)
  })

  it("the zygote host ends at once if it cannot open the engine's descriptors", async () => {
    const helper = started('zygote.pl', [`${process.pid}`, '999999', '11', '7', '9', '10'])
    expect(await helper.end()).toBe(1)
  })
})

describe('the network helper', () => {
  it("the network helper makes, settles and closes a network in Node's messages, and ends with its channel", async () => {
    const file = join(directory, 'network.pl')
    writeFileSync(file, perlHelper('network.pl'))
    const child = spawn('perl', [file, process.arch, '1000'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    children.push(child)
    const next = () => new Promise((done) => child.once('message', (sent) => done(parseNetworkMessage(sent))))
    const open = { verb: 'open', network: 1, within: null, loopback: [], ports: [443], servers: [] } as const
    child.send(formatNetworkOrder(open))
    expect(await next()).toMatchObject({ network: 1, message: { kind: 'made' } })
    child.send({ not: 'an order' })
    child.send(formatNetworkOrder({ verb: 'settle', network: 1 }))
    expect(await next()).toEqual({ network: 1, message: { kind: 'settled' } })
    child.send(formatNetworkOrder({ verb: 'close', network: 1 }))
    const ended = new Promise((done) => child.once('exit', done))
    child.disconnect()
    expect(await ended).toBe(0)
  })
})

describe('the shell helpers', () => {
  const sh = (name: Parameters<typeof helperScript>[0], ...args: readonly string[]) =>
    spawnSync('sh', ['-c', helperScript(name), 'sh', ...args], { encoding: 'utf8' })

  it('enter-cgroups.sh writes 0 to each file and becomes the program', () => {
    const files = ['one', 'two words'].map((name) => join(directory, name))
    for (const name of files) writeFileSync(name, '')
    expect(sh('enter-cgroups.sh', '2', ...files, 'printf', '<%s>', 'a b', '').stdout).toBe('<a b><>')
    expect(files.map((name) => readFileSync(name, 'utf8'))).toEqual(['0\n', '0\n'])
  })

  it('enter-cgroups.sh starts nothing if a file cannot be written', () => {
    const { status, stdout } = sh('enter-cgroups.sh', '1', join(directory, 'no/file'), 'echo', 'started')
    expect([status, stdout]).toEqual([1, ''])
  })

  it('remove-tree.sh removes a tree with locked directories and an odd name', () => {
    const tree = join(directory, '-odd\nname')
    spawnSync('mkdir', ['-p', '--', `${tree}/a`])
    spawnSync('chmod', ['0', '--', `${tree}/a`])
    expect(sh('remove-tree.sh', tree).status).toBe(0)
    expect(spawnSync('ls', [directory], { encoding: 'utf8' }).stdout).toBe('')
  })

  it("set-times.sh sets each file's nanoseconds, and ends at the first failure", () => {
    writeFileSync(join(directory, 'file'), '')
    expect(sh('set-times.sh', '1.000000007', join(directory, 'file')).status).toBe(0)
    expect(spawnSync('stat', ['-c', '%.9Y', join(directory, 'file')], { encoding: 'utf8' }).stdout).toBe(
      '1.000000007\n',
    )
  })

  it('watchdog.bash ends at once at the line "bye" and removes nothing', () => {
    const args = ['X=never', '0{20} ', directory, `${process.pid}`, '']
    const told = spawnSync('bash', ['-c', helperScript('watchdog.bash'), 'watchdog', ...args], { input: 'bye\n' })
    expect([told.status, spawnSync('test', ['-d', directory]).status]).toEqual([0, 0])
  })
})
