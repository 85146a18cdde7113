import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { InputSink } from '../../src/core/model/basics/relay.js'
import type { LauncherScene } from './launcher.js'
import { launchAndCollect } from './launcher-plan.js'

/** Tests the environment, streams and output of commands for every launcher. */
export function streamsContract(name: string, scene: LauncherScene): void {
  const { plan, run, subject } = scene

  describe(`${name}: view of the command`, () => {
    it('a command has exactly the environment of the plan', async () => {
      const awkward = 'a "b" $c \n\t\\ é = \u{1f600}'
      const heard = await run(
        'env -0',
        {},
        {
          env: [
            ['PATH', '/usr/bin:/bin'],
            ['ODD', awkward],
            ['PWD', scene.workspace],
          ],
        },
      )
      const seen = heard.stdout.toString().split('\0').filter(Boolean)
      const expected = ['PATH=/usr/bin:/bin', `ODD=${awkward}`, `PWD=${scene.workspace}`]
      // bash itself adds these two.
      const foreign = new Set(['_', 'SHLVL', ...subject.added])
      expect(seen.filter((line) => !foreign.has(line.slice(0, line.indexOf('=')))).sort()).toEqual(expected.sort())
    })

    it('a command starts in the directory of the plan, with any characters in its name', async () => {
      const odd = `${scene.workspace}/a "b" $c'd\né`
      mkdirSync(odd)
      const heard = await run(
        'pwd; touch here',
        {},
        {
          cwd: odd,
          env: [
            ['PATH', '/usr/bin:/bin'],
            ['PWD', odd],
          ],
        },
      )
      expect(heard.stdout.toString()).toBe(`${odd}\n`)
      expect(existsSync(`${odd}/here`)).toBe(true)
    })

    it('arguments reach the program literally, without a shell', async () => {
      const args = ['; rm -rf /', '$(id)', '', 'a\nb', '--', '-x', '*']
      const heard = await launchAndCollect(scene.launcher, plan({ argv: ['printf', '%s\\0', ...args] }))
      expect(heard.stdout.toString().split('\0').slice(0, -1)).toEqual(args)
    })

    it('standard streams can be opened by name', async () => {
      const heard = await run('echo out > /dev/stdout; echo err > /dev/stderr; cat /dev/stdin', {
        stdin: { text: 'in\n' },
      })
      expect([heard.stdout.toString(), heard.stderr.toString()]).toEqual(['out\nin\n', 'err\n'])
    })

    it('connected input can be opened by name after its end', async () => {
      const connect = (sink: InputSink) => {
        sink.write(Buffer.from('in\n'))
        sink.end()
        return () => undefined
      }
      const script = 'read a; while read b; do :; done; echo "$a"; wc -c < /dev/stdin; cat /dev/stdin; echo end'
      const heard = await run(script, { stdin: { connect } })
      expect(heard.stdout.toString()).toBe('in\n0\nend\n')
    })

    it('a command inherits only the three standard descriptors', async () => {
      const heard = await run('cd /proc/self/fd; for f in *; do [[ $f -gt 2 ]] && readlink $f; done; true')
      const open = heard.stdout.toString().split('\n').filter(Boolean)
      expect(open.filter((target) => target !== '/dev/null' && !/^\/proc\/\d+\/fd$/.test(target))).toEqual([])
    })
  })

  describe(`${name}: input and output`, () => {
    it('every byte passes unchanged', async () => {
      const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
      writeFileSync(`${scene.workspace}/bytes`, all)
      const heard = await run('cat bytes; cat bytes bytes >&2')
      expect([heard.stdout, heard.stderr]).toEqual([all, Buffer.concat([all, all])])
    })

    it('closed input reads as empty at once', async () => {
      expect((await run('cat; read x; echo $?')).stdout.toString()).toBe('1\n')
    })

    it('text for stdin arrives, followed by the end', async () => {
      const text = 'é\u{1f600}\n'.repeat(100_000)
      const heard = await run('cat', { stdin: { text } })
      expect(heard.stdout.toString()).toBe(text)
    })

    it('a command may ignore its input', async () => {
      const heard = await run('exec <&-; echo fine', { stdin: { text: 'x'.repeat(5_000_000) } })
      expect([heard.stdout.toString(), heard.ending]).toEqual(['fine\n', { how: 'exited', status: 0 }])
    })

    it('the caller can write while the command runs, and end the input', async () => {
      const controller = new AbortController()
      const said: string[] = []
      let write = (_text: string): void => undefined
      let end = (): void => undefined
      const ending = await scene.launcher.launch(plan({ script: 'read a; echo "got $a"; read b || echo end' }), {
        stdin: 'open',
        signal: controller.signal,
        onStart: (process) => {
          write = (text) => process.write(text)
          end = () => process.endInput()
          write('hello\n')
        },
        onChunk: (_stream, bytes) => {
          said.push(Buffer.from(bytes).toString())
          if (said.join('').includes('got hello\n')) end()
        },
      })
      expect([said.join(''), ending]).toEqual(['got hello\nend\n', { how: 'exited', status: 0 }])
    })

    it('a promise from onChunk pauses the command until it settles', async () => {
      let taken = 0
      let go = (): void => undefined
      const blocked = new Promise<void>((resolve) => {
        go = resolve
      })
      const done = `${scene.workspace}/all-written`
      const heard = run('head -c 1000000 /dev/zero; touch all-written', {
        onChunk: (_stream, bytes) => {
          taken += bytes.length
          return blocked
        },
        started: () => setTimeout(go, 300),
      })
      await blocked
      expect([existsSync(done), taken < 1_000_000]).toEqual([false, true])
      expect([(await heard).ending, taken]).toEqual([{ how: 'exited', status: 0 }, 1_000_000])
    })

    it('false from onChunk closes the stream, and the command gets SIGPIPE', async () => {
      const heard = await run('yes', { onChunk: () => false })
      expect(heard.ending).toMatchObject({ signal: 'SIGPIPE' })
    })

    it('a slow reader gets what is left in the pipe after the end of the command', async () => {
      let total = 0
      await run('head -c 200000 /dev/zero', {
        onChunk: async (_stream, bytes) => {
          await new Promise((resolve) => setTimeout(resolve, 700))
          total += bytes.length
        },
      })
      expect(total).toBe(200_000)
    })

    it('merged output keeps the order of stdout and stderr', async () => {
      const script = 'for i in {1..200}; do echo "out $i"; echo "err $i" >&2; done'
      const lines = Array.from({ length: 200 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`)
      const heard = await run(script, { merged: true })
      expect([heard.stdout.toString(), heard.stderr.toString()]).toEqual([lines.join(''), ''])
    })

    it('connected input reaches the command byte for byte, and is disconnected at the end', async () => {
      const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))
      let stopped = 0
      const connect = (sink: InputSink) => {
        const send = async (): Promise<void> => {
          for (let at = 0; at < bytes.length; at += 1_000) await sink.write(bytes.subarray(at, at + 1_000))
          sink.end()
        }
        void send()
        return () => {
          stopped += 1
        }
      }
      const heard = await run('cat', { stdin: { connect } })
      expect([heard.stdout.equals(bytes), stopped]).toEqual([true, 1])
    })

    it('connected input that ends at once reads as empty', async () => {
      const connect = (sink: InputSink) => {
        sink.end()
        return () => undefined
      }
      for (let i = 0; i < 8; i += 1) {
        const heard = await run('cat; echo end', { stdin: { connect } })
        expect([heard.stdout.toString(), heard.ending]).toEqual(['end\n', { how: 'exited', status: 0 }])
      }
    })

    it('connected input that the command does not read delays nothing', async () => {
      let refused: Promise<void> | undefined
      const connect = (sink: InputSink) => {
        const send = async (): Promise<void> => {
          while (await sink.write(Buffer.alloc(65_536)));
        }
        refused = send()
        return () => undefined
      }
      const heard = await run('exec <&-; echo fine', { stdin: { connect } })
      expect([heard.stdout.toString(), heard.ending]).toEqual(['fine\n', { how: 'exited', status: 0 }])
      await refused
    })

    it('memory stays flat while 100 MB pass', async () => {
      let total = 0
      let peak = 0
      const before = process.memoryUsage().rss
      await scene.launcher.launch(plan({ script: 'head -c 100000000 /dev/zero' }), {
        stdin: 'closed',
        signal: new AbortController().signal,
        onStart: () => undefined,
        onChunk: (_stream, bytes) => {
          total += bytes.length
          peak = Math.max(peak, process.memoryUsage.rss())
        },
      })
      expect(total).toBe(100_000_000)
      expect(peak - before).toBeLessThan(80_000_000)
    })
  })
}
