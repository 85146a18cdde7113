import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type Cordon, createCordon } from '../../../src/node.js'
import { temporaryCordons } from '../../temporary-cordon.js'
import { cordon as commandLine, type InProcess } from './in-process.js'

const open = temporaryCordons()

/** A real engine behind the command line, and a workspace with one file. */
async function space() {
  const { cordon, workspace } = await open()
  const file = (name: string): string => join(workspace, name)
  writeFileSync(file('a.txt'), 'one\ntwo\n')
  const engine = { ...cordon, close: async () => {} }
  return {
    file,
    run: cordon.run,
    text: (name: string) => readFileSync(file(name), 'utf8'),
    call: (argv: readonly string[], setting: InProcess = {}) => commandLine(argv, { engine, ...setting }),
    newest: async () => JSON.parse((await commandLine(['history', '--json'], { engine })).stdout)[0],
  }
}

/** A person who types these lines, one for each question. */
function typing(...lines: readonly string[]): Readable {
  // Used with --no-stdin: the command would read what is typed before the question.
  const left = [...lines]
  return new Readable({
    read() {
      setTimeout(() => this.push(left.length > 0 ? `${left.shift()}\n` : null), 150)
    },
  })
}

describe('cordon history, diff and undo', () => {
  it('history lists the changes of a command, diff shows them, undo reverts them and undoes itself', async () => {
    const { call, text, newest, file } = await space()
    await call(['run', '--', 'sed -i s/two/2/ a.txt; echo n > n'])
    const { id, command, state } = await newest()
    expect([command, state]).toEqual(['sed -i s/two/2/ a.txt; echo n > n', 'committed'])
    expect((await call(['history'])).stdout).toContain('+1 ~1')
    const { stdout } = await call(['diff', id])
    expect(stdout).toContain('-two\n+2\n')
    expect(stdout).toMatch(/^1 file created, 1 file changed\.\n/)
    const undone = await call(['undo', id])
    expect([undone.status, text('a.txt'), existsSync(file('n'))]).toEqual([0, 'one\ntwo\n', false])
    expect(undone.stderr).toContain(`Undone ${id.slice(0, 8)}: 1 file put back, 1 file removed.`)
    expect((await newest()).command).toBe(`undo ${id.slice(0, 8)}`)
    expect((await call(['undo', (await newest()).id])).status).toBe(0)
    expect([text('a.txt'), text('n')]).toEqual(['one\n2\n', 'n\n'])
  })

  it('undo the last few commands, newest first', async () => {
    const { call, text } = await space()
    for (const word of ['1', '2', '3']) await call(['run', '--', `echo ${word} >> a.txt`])
    expect((await call(['undo', '--last', '2'])).status).toBe(0)
    expect(text('a.txt')).toBe('one\ntwo\n1\n')
  })

  it('undo one path of a command', async () => {
    const { call, text, newest, file } = await space()
    await call(['run', '--', 'echo x >> a.txt; echo n > n'])
    const { stdout } = await call(['undo', '--json', '--path', file('n'), (await newest()).id])
    expect(JSON.parse(stdout)).toMatchObject([{ kind: 'undo', conflicts: [] }])
    expect([text('a.txt'), existsSync(file('n'))]).toEqual(['one\ntwo\nx\n', false])
  })

  it('undo over a later change exits 1, names the file and changes nothing', async () => {
    const { call, text, newest, file } = await space()
    await call(['run', '--', 'echo x >> a.txt'])
    writeFileSync(file('a.txt'), 'mine')
    const { status, stderr } = await call(['undo', (await newest()).id])
    expect([status, text('a.txt')]).toEqual([1, 'mine'])
    expect(stderr).toContain(file('a.txt'))
  })

  it('an unknown id and a missing id give an error', async () => {
    const { call } = await space()
    expect(await call(['undo', 'nope'])).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('Transaction nope does not exist'),
    })
    expect(await call(['undo'])).toMatchObject({ status: 125, stderr: expect.stringContaining('no change to undo') })
    expect((await call(['history'])).stdout).toBe('No command has changed anything yet.\n')
  })

  it('diff escapes control characters of a file', async () => {
    const { call, newest } = await space()
    await call(['run', '--', `printf 'tab\\there \\033[2J\\n' > evil`])
    const { stdout } = await call(['diff', (await newest()).id])
    expect(stdout).toContain('+tab\there \\e[2J')
  })
})

describe('cordon keep and discard', () => {
  /** Changes that wait for a review. */
  async function waiting(script: string) {
    const at = await space()
    const { transaction } = await at.run(script, { review: true })
    return { ...at, id: transaction?.id ?? '', outcome: transaction?.outcome }
  }

  it('settle a review that was left open: kept, undone, and asked for again in vain', async () => {
    const { call, text, id, outcome } = await waiting('echo x >> a.txt')
    expect([outcome, text('a.txt')]).toEqual(['waiting-for-review', 'one\ntwo\n'])
    expect((await call(['history'])).stdout).toMatch(new RegExp(`${id.slice(0, 8)}.*waiting`))
    expect((await call(['history'])).stdout).toContain('1 of these is not settled: cordon diff <id>')
    const kept = await call(['keep', id])
    expect([kept.status, text('a.txt')]).toEqual([0, 'one\ntwo\nx\n'])
    expect(kept.stderr).toContain(
      `Kept ${id.slice(0, 8)}: 1 file changed. To take it back: cordon undo ${id.slice(0, 8)}`,
    )
    expect(await call(['keep', id])).toMatchObject({ status: 125, stderr: expect.stringContaining('is committed') })
    expect((await call(['undo', id])).status).toBe(0)
    expect(text('a.txt')).toBe('one\ntwo\n')
  })

  it('keep only the paths that are named, and say so in JSON', async () => {
    const { call, text, file, id } = await waiting('echo x >> a.txt; echo n > n')
    const { status, stdout } = await call(['keep', '--json', id, file('n')])
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { id, state: 'committed', conflicts: [], changes: { counts: { created: 1, mode_changed: 0 } } },
    ])
    expect([text('a.txt'), text('n')]).toEqual(['one\ntwo\n', 'n\n'])
  })

  it('discard of some paths leaves the rest held, and discard drops it', async () => {
    const { call, text, file, id } = await waiting('echo x >> a.txt; echo n > n')
    expect((await call(['discard', id, file('n')])).stderr).toContain(
      `${id.slice(0, 8)} goes on waiting with 1 file changed`,
    )
    expect((await call(['discard', id])).stderr).toContain(`Discarded ${id.slice(0, 8)}: the files are as they were.`)
    expect([text('a.txt'), existsSync(file('n'))]).toEqual(['one\ntwo\n', false])
  })

  it('keep names the files changed by others, and keeps nothing', async () => {
    const { call, text, file, id } = await waiting('echo x >> a.txt')
    writeFileSync(file('a.txt'), 'mine')
    const { status, stderr } = await call(['keep', id])
    expect([status, text('a.txt')]).toEqual([1, 'mine'])
    expect(stderr).toContain(file('a.txt'))
  })

  it('keep, discard and undo are recorded with their transaction', async () => {
    const { call, id } = await waiting('echo x >> a.txt')
    await call(['keep', id])
    await call(['undo', id])
    const records = JSON.parse((await call(['audit', '--json'])).stdout)
    expect(records.slice(0, 3)).toMatchObject([
      { tool: 'undo', command: `undo ${id}`, outcome: 'success', transaction: { outcome: 'committed' } },
      { tool: 'keep', command: `keep ${id}`, outcome: 'success', transaction: { id, outcome: 'committed' } },
      { tool: 'bash', outcome: 'success', transaction: { id, outcome: 'waiting-for-review' } },
    ])
  })
})

describe('a command whose files are restored', () => {
  it('keeps its changes: shown by diff, applied by keep, and undone again', async () => {
    const { call, text, file, newest } = await space()
    const ran = await call(['run', '--restore-on-failure', '--', 'sed -i s/two/2/ a.txt; echo n > n; exit 2'])
    const { id, state } = await newest()
    const short = id.slice(0, 8)
    expect([ran.status, text('a.txt'), existsSync(file('n')), state]).toEqual([2, 'one\ntwo\n', false, 'rolled-back'])
    expect(ran.stderr).toBe(`Rolled back: 1 file restored, 1 file deleted; cordon keep ${short} applies the changes\n`)
    expect((await call(['diff', id])).stdout).toContain('-two\n+2\n')
    expect((await call(['keep', id])).stderr).toContain(`Kept ${short}: 1 file created, 1 file changed.`)
    expect([text('a.txt'), text('n')]).toEqual(['one\n2\n', 'n\n'])
    expect((await call(['undo', id])).status).toBe(0)
    expect([text('a.txt'), existsSync(file('n'))]).toEqual(['one\ntwo\n', false])
  })

  it('onFailure of the library restores the changes and overrides the profile', async () => {
    const { run, text } = await space()
    const result = await run('echo x >> a.txt; exit 2', { onFailure: 'restore' })
    expect([result.transaction?.outcome, text('a.txt')]).toEqual(['rolled-back', 'one\ntwo\n'])
    expect((await run('echo x >> a.txt; exit 2')).transaction?.outcome).toBe('committed')
  })
})

describe('the line about changed files', () => {
  it('counts the files of a deleted directory, and an undo counts them again', async () => {
    const { call, newest, file } = await space()
    await call(['run', '--', 'mkdir -p src/deep; touch src/1 src/2 src/deep/3'])
    const ran = await call(['run', '--', 'rm -rf src; exit 1'])
    const { id } = await newest()
    expect(ran.stderr).toBe(`3 files deleted; cordon undo ${id.slice(0, 8)}\n`)
    expect((await call(['undo', id])).stderr).toContain(`Undone ${id.slice(0, 8)}: 3 files restored.`)
    expect(existsSync(file('src/deep/3'))).toBe(true)
    expect((await call(['diff', (await newest()).id])).stdout).toMatch(/^3 files created\.\n/)
  })

  it('ends a command that succeeds at a terminal only if it deleted or overwrote something', async () => {
    const { call } = await space()
    expect((await call(['run', '--', 'echo n > n'], { tty: true })).stderr).toBe('')
    expect((await call(['run', '--', 'echo x >> a.txt'])).stderr).toBe('')
    const { stderr } = await call(['run', '--', 'rm a.txt'], { tty: true, env: { NO_COLOR: '1' } })
    expect(stderr).toMatch(/^1 file deleted; cordon undo \w{8}\n$/)
  })
})

/** Two projects beside each other and one inside the first, with one state directory. */
async function projects() {
  const { cordon, workspace, state } = await open()
  const top = join(workspace, '..')
  const env = { ...process.env, HOME: join(top, 'home'), XDG_CONFIG_HOME: join(top, 'home/.config') }
  const others: Cordon[] = []
  const at = async (name: string) => {
    const place = join(top, name)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'a.txt'), 'one\n')
    const own = await createCordon({ workspace: place, stateDirectory: state, env })
    others.push(own)
    const engine = { ...own, close: async () => {} }
    return {
      run: own.run,
      transactions: own.transactions,
      make: (name: string) => mkdirSync(join(place, name)),
      text: () => readFileSync(join(place, 'a.txt'), 'utf8'),
      call: (argv: readonly string[], setting: InProcess = {}) => commandLine(argv, { engine, ...setting }),
    }
  }
  return { at, close: () => Promise.all([...others, cordon].map((one) => one.close())) }
}

describe('the history of a workspace', () => {
  it('is its own: undo takes back the last change here, and --all widens', async () => {
    const { at, close } = await projects()
    const [red, blue] = [await at('red'), await at('blue')]
    await red.run('echo red >> a.txt')
    await blue.run('echo blue >> a.txt')
    expect((await red.call(['history'])).stdout).not.toContain('blue')
    const all = (await red.call(['history', '--all'])).stdout
    expect(all).toMatch(/ workspace .*\n.*\/blue .*\n.*\/red /)
    expect(red.transactions.history().map(({ command }) => command)).toEqual(['echo red >> a.txt'])
    expect(red.transactions.history({ workspace: null })).toHaveLength(2)
    const undone = await red.call(['undo'])
    expect([undone.status, red.text(), blue.text()]).toEqual([0, 'one\n', 'one\nblue\n'])
    expect(undone.stderr).toMatch(
      /^\w{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d {2}echo red >> a\.txt\n1 file changed\.\n/,
    )
    expect(await red.call(['undo', '--last', '1'])).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('/red'),
    })
    expect((await red.call(['undo', '--all'])).stderr).toMatch(/^In .*\/blue:\n/)
    expect(blue.text()).toBe('one\n')
    await close()
  })

  it('an id of another workspace works, and the answer names that workspace', async () => {
    const { at, close } = await projects()
    const [red, blue] = [await at('red'), await at('red/inner')]
    const { transaction } = await blue.run('echo inner >> a.txt')
    expect((await red.call(['history'])).stdout).toContain('Other workspaces: cordon history --all')
    const undone = await red.call(['undo', (transaction?.id ?? '').slice(0, 9)])
    expect(undone.stderr).toMatch(/Undone \w{8} in .*\/red\/inner: 1 file put back/)
    expect(blue.text()).toBe('one\n')
    await close()
  })

  it('is that of the project around a directory that has none of its own', async () => {
    const { at, close } = await projects()
    const red = await at('red')
    await red.run('echo x >> a.txt')
    red.make('.git')
    const [inside, beside] = [await at('red/src'), await at('blue')]
    expect(inside.transactions.history().map(({ command }) => command)).toEqual(['echo x >> a.txt'])
    expect(beside.transactions.history()).toEqual([])
    await close()
  })
})

describe('cordon undo without an id', () => {
  const tty = { tty: true, env: { NO_COLOR: '1' } }

  it('asks at a terminal, where anything but yes leaves the files', async () => {
    const { call, text } = await space()
    await call(['run', '--', 'echo x >> a.txt'])
    const no = await call(['undo'], { ...tty, stdin: typing('n') })
    expect([no.status, text('a.txt')]).toEqual([0, 'one\ntwo\nx\n'])
    expect(no.stderr).toContain('~ ')
    expect(no.stderr).toContain('Nothing was undone.')
    await call(['undo'], { ...tty, stdin: typing('y') })
    expect(text('a.txt')).toBe('one\ntwo\n')
  })

  it('does not ask with --yes', async () => {
    const { call, text } = await space()
    await call(['run', '--', 'echo x >> a.txt'])
    expect((await call(['undo', '--yes'], tty)).status).toBe(0)
    expect(text('a.txt')).toBe('one\ntwo\n')
  })
})

describe('an id', () => {
  it('can be abbreviated, and one that is ambiguous is refused with the candidates', async () => {
    const { call, newest, text } = await space()
    await call(['run', '--', 'echo x >> a.txt'])
    const first = (await newest()).id
    await call(['run', '--', 'echo y >> a.txt'])
    const second = (await newest()).id
    const { status, stderr } = await call(['diff', first.slice(0, 2)])
    expect([status, stderr]).toEqual([125, expect.stringContaining(`can be ${second}, ${first}`)])
    expect((await call(['diff', second.slice(0, -1)])).stdout).toContain('+y')
    expect((await call(['undo', second.slice(0, -1)])).status).toBe(0)
    expect(text('a.txt')).toBe('one\ntwo\nx\n')
    expect(JSON.parse((await call(['audit', '--json', '--id', first.slice(0, -1)])).stdout)).toMatchObject([
      { id: first },
    ])
  })
})

describe('a table', () => {
  it('fits 80 columns and the width of the terminal', async () => {
    const { call } = await space()
    await call([
      'run',
      '--agent',
      'a-builder-with-a-long-name',
      '--',
      `echo ${'x'.repeat(200)} > a-file; chmod 600 a.txt`,
    ])
    for (const argv of [['history'], ['history', '--all'], ['audit'], ['profiles']]) {
      const lines = (await call(argv)).stdout.split('\n')
      expect(lines.length).toBeGreaterThan(2)
      expect(lines.filter((line) => line.length > 80)).toEqual([])
    }
  })
})

describe('transactions in JSON', () => {
  it('transactions in JSON have snake_case keys at every depth', async () => {
    const { call } = await space()
    const camel = /"[a-z]+[A-Z][A-Za-z]*":/
    const said = [
      await call(['run', '--json', '--', 'echo x >> a.txt; chmod 600 a.txt; echo n > n; exit 2']),
      await call(['run', '--json', '--', 'echo x >> a.txt']),
      await call(['try', '--keep', '--json', '--', 'chmod 600 a.txt; echo n > n']),
      await call(['history', '--json']),
      await call(['diff', '--json', JSON.parse((await call(['history', '--json'])).stdout)[0].id]),
      await call(['undo', '--json', '--last', '1']),
    ]
    for (const { stdout } of said) expect(stdout).not.toMatch(camel)
    expect(JSON.parse(said[0]?.stdout ?? '').transaction).toMatchObject({
      outcome: 'committed',
      changes: {
        counts: { created: 1, modified: 1, mode_changed: 0 },
        list: [{ bytes_before: 8, bytes_after: 10 }, {}],
      },
    })
  })
})

describe('cordon try', () => {
  it('try without a terminal shows the changes and discards them', async () => {
    const { call, text } = await space()
    const { status, stdout, stderr } = await call(['try', '--', 'echo said; rm a.txt'])
    expect([status, text('a.txt')]).toEqual([0, 'one\ntwo\n'])
    expect(stdout).toContain('said\n')
    expect(stdout).toContain('-one\n-two\n')
    expect(stderr).toContain('Discarded, for there is no terminal to ask on (--keep keeps them)')
  })

  it('try reports that nothing changed', async () => {
    const { call } = await space()
    expect((await call(['try', '--', 'cat a.txt'])).stderr).toBe('Nothing changed.\n')
  })

  it('try --discard does not mention terminals', async () => {
    const { call } = await space()
    expect((await call(['try', '--discard', '--', 'rm a.txt'])).stderr).toContain(
      'Discarded: the files are as they were.',
    )
  })

  it('keeps with --keep, and says so in JSON', async () => {
    const { call, text } = await space()
    const { stdout } = await call(['try', '--keep', '--json', '--', 'echo x >> a.txt'])
    expect(JSON.parse(stdout)).toMatchObject({
      exit_code: 0,
      settled: 'kept',
      conflicts: [],
      changes: [{ kind: 'modified' }],
    })
    expect(text('a.txt')).toBe('one\ntwo\nx\n')
  })

  it('keeps what the person says yes to, file by file', async () => {
    const { call, text, file } = await space()
    const stdin = typing('each', 'n', 'y')
    const { status } = await call(['try', '--no-stdin', '--', 'echo x >> a.txt; echo n > n'], { tty: true, stdin })
    expect([status, text('a.txt'), existsSync(file('n'))]).toEqual([0, 'one\ntwo\n', true])
  })

  it("a failed command gives its own exit status, and its changes wait for the answer like any other's", async () => {
    const { call, text, file } = await space()
    const discarded = await call(['try', '--discard', '--', 'rm a.txt; exit 7'])
    expect([discarded.status, text('a.txt')]).toEqual([7, 'one\ntwo\n'])
    const kept = await call(['try', '--keep', '--', 'rm a.txt; exit 7'])
    expect([kept.status, existsSync(file('a.txt'))]).toEqual([7, false])
  })

  it('refuses --keep together with --discard', async () => {
    const { call } = await space()
    expect((await call(['try', '--keep', '--discard', '--', 'true'])).status).toBe(125)
  })
})
