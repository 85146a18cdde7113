import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BINARY, type Ground, grounds } from '../binary.js'

const newGround = grounds()

interface Piped {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a pipeline in the workspace with `cordon` as a shell function; its stdout and stderr as Latin-1, which keeps
 * every byte.
 */
function shell({ workspace, env }: Ground, script: string): Promise<Piped> {
  const cordon = `cordon() { "${process.execPath}" "${BINARY}" "$@"; }`
  const options = { cwd: workspace, env, encoding: 'latin1', maxBuffer: 100 * 1024 * 1024 } as const
  return new Promise((resolve) => {
    execFile('bash', ['-c', `${cordon}\n${script}`], options, (error, stdout, stderr) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })
    })
  })
}

describe("a person's pipes", () => {
  it('output longer than any limit goes through a pipe uncut', async () => {
    const { stdout } = await shell(newGround(), "cordon run -- 'seq 1 2000000' | sha256sum; seq 1 2000000 | sha256sum")
    const [through, plain] = stdout.split('\n')
    expect(through).toBe(plain)
  })

  it.each([
    ['the default sandbox', ''],
    ['no sandbox', '--profile open '],
  ])('binary input and output pass unchanged with %s', async (_, options) => {
    const ground = newGround()
    const bytes = randomBytes(1_000_000)
    writeFileSync(join(ground.workspace, 'in'), bytes)
    const { status, stderr } = await shell(ground, `cat in | cordon run ${options}-- cat > out`)
    expect([status, stderr]).toEqual([0, ''])
    expect(readFileSync(join(ground.workspace, 'out')).equals(bytes)).toBe(true)
  })

  it('a filter does not change what a pipe gets', async () => {
    const ground = newGround()
    const script = "printf 'a\\033[31mb\\r\\n\\n\\n\\n'; for i in {1..50}; do echo 'npm warn deprecated x'; done"
    const { stdout } = await shell(ground, `cordon run -- "$(cat <<'X'\n${script}\nX\n)"`)
    expect(stdout).toBe(`a\u001b[31mb\r\n\n\n\n${'npm warn deprecated x\n'.repeat(50)}`)
  })

  it.each([
    ['yes', 'y\n'],
    ['seq 1 10000000', '1\n'],
  ])('%s ends without a message when its reader exits', async (script, first) => {
    const { stdout, stderr } = await shell(
      newGround(),
      `cordon run -- '${script}' | head -n 1; echo "\${PIPESTATUS[0]}" >&2`,
    )
    expect([stdout, stderr]).toEqual([first, '141\n'])
  })

  it('stdin reaches the command: a pipe, a file, a here-document, exec and try', async () => {
    const ground = newGround()
    writeFileSync(join(ground.workspace, 'list'), 'a\nb\n')
    const script = [
      "seq 5 | cordon run -- 'wc -l'",
      'cordon run -- cat < list',
      'cordon run -- \'read x; echo "got $x"\' <<< here',
      'seq 3 | cordon exec -- wc -l',
      'seq 2 | cordon try -- cat',
    ]
    const { stdout } = await shell(ground, script.join('; '))
    expect(stdout).toBe('5\na\nb\ngot here\n3\n1\n2\n')
  })

  it('--no-stdin does not read the list of a loop', async () => {
    const loop = 'while read l; do cordon run --no-stdin -- "echo $l; cat"; done <<< $\'a\\nb\''
    expect((await shell(newGround(), loop)).stdout).toBe('a\nb\n')
  })

  it('unread input does not delay the command', async () => {
    const silent = "mkfifo f; exec 3<>f; cordon run -- 'echo end' <&3"
    const { status, stdout } = await shell(newGround(), `yes | cordon run -- 'echo done'; ${silent}`)
    expect([status, stdout]).toEqual([0, 'done\nend\n'])
  })

  it('one file for stdout and stderr keeps the order of the command', async () => {
    const ground = newGround()
    const script = 'for i in {1..100}; do echo o$i; echo e$i >&2; done'
    await shell(ground, `cordon run -- '${script}' > log 2>&1`)
    const expected = Array.from({ length: 100 }, (_, i) => `o${i + 1}\ne${i + 1}\n`).join('')
    expect(readFileSync(join(ground.workspace, 'log'), 'utf8')).toBe(expected)
    expect((await shell(ground, `cordon run -- '${script}' 2>&1 | cat`)).stdout).toBe(expected)
  })

  it('two files get their own stream each', async () => {
    const ground = newGround()
    await shell(ground, "cordon run -- 'echo out; echo err >&2' > out 2> err")
    const read = (name: string): string => readFileSync(join(ground.workspace, name), 'utf8')
    expect([read('out'), read('err')]).toEqual(['out\n', 'err\n'])
  })

  it('a slow reader gets every byte, and memory stays bounded', async () => {
    const measure = '(exec "$node" "$binary" run -- "head -c 150M /dev/zero; echo end" & wait)'
    const script = `node=${process.execPath} binary=${BINARY}; ${measure} | { sleep 1; grep -h VmHWM $(grep -lz -- 'head -c 150M /dev/zero; echo end' /proc/[0-9]*/cmdline 2>/dev/null | sed s/cmdline/status/) >&2; wc -c; }`
    const { stdout, stderr } = await shell(newGround(), script)
    expect(stdout).toBe(`${150 * 1024 * 1024 + 4}\n`)
    const peaks = [...stderr.matchAll(/VmHWM:\s+(\d+) kB/g)].map(([, kilobytes]) => Number(kilobytes))
    expect(peaks.length).toBeGreaterThan(0)
    expect(Math.max(...peaks)).toBeLessThan(150 * 1024)
  })

  it('the command cannot reach the files of its caller through its streams', async () => {
    const ground = newGround()
    const outside = (name: string): string => join(ground.root, name)
    for (const name of ['in', 'out', 'err']) writeFileSync(outside(name), `${name} before\n`)
    const attack =
      'for n in 0 1 2; do [[ -p /dev/fd/$n ]] || echo "no pipe: $n"; echo x 1<>/dev/fd/$n; done; : > /dev/fd/1'
    writeFileSync(join(ground.workspace, 'attack'), attack)
    await shell(ground, 'cordon run --profile workspace -- "bash attack" < ../in >> ../out 2>> ../err')
    const read = (name: string): string => readFileSync(outside(name), 'utf8')
    expect(read('in')).toBe('in before\n')
    expect(read('out')).toBe('out before\nx\n')
    expect(read('err')).toBe('err before\nx\n')
  })

  it('a full disk is reported and is a failure', async () => {
    const { stderr } = await shell(newGround(), "cordon run -- 'echo hi' > /dev/full; echo $? >&2")
    expect(stderr).toBe(
      "Cordon could not write the command's output: ENOSPC: no space left on device, write. Free some space and run it again.\n125\n",
    )
  })

  it('the audit and the JSON of a model are cut as before', async () => {
    const { stdout } = await shell(newGround(), "cordon run --json -- 'seq 1 200000'")
    expect(JSON.parse(stdout)).toMatchObject({ truncated: true, exit_code: 0 })
  })

  it('with --json the command reads nothing unless --stdin is given', async () => {
    const { stdout } = await shell(
      newGround(),
      'echo x | cordon run --json -- cat; echo y | cordon run --json --stdin -- cat',
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).stdout),
    ).toEqual(['', 'y\n'])
  })
})
