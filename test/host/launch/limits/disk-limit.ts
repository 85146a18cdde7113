import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandboxedWorkspace } from '../../../contract/sandboxed-workspace.js'

const PATIENCE_MS = 60_000
const LIMIT = 48 << 20
/** Bytes written between two measurements on a fast disk. */
const LEEWAY = 2 ** 30

const FILLERS: readonly [string, string][] = [
  ['many files, each below the limit of one', 'i=0; while :; do head -c 4M /dev/zero > f$((i++)); done'],
  ['files that are deleted while they are open', 'while :; do exec {fd}> f; rm f; head -c 4M /dev/zero >&$fd; done'],
  ['many processes at once', 'for n in 1 2 3 4; do while :; do head -c 1M /dev/zero >> f$n.$RANDOM; done & done; wait'],
  ['one big file, where files may be big', 'cat /dev/zero > f'],
]

/** Tests the limit of disk writes, for every kind of user. */
export function diskLimitTests(title: string): void {
  describe(`disk written, ${title}`, () => {
    const sandboxed = sandboxedWorkspace()
    const run = (script: string) =>
      sandboxed.run(script, { limits: { fileBytes: LEEWAY, diskBytes: LIMIT }, timeoutMs: 50_000 })

    it.each(FILLERS)(
      'a disk limit ends %s, and no other command',
      async (_what, script) => {
        const other = run('for i in 1 2 3; do sleep 0.1; echo $i > mine; cat mine; done')
        const filler = await run(script)
        expect(filler.ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'limit', limit: 'disk written (48 MiB)' })
        expect((await other).stdout.toString()).toBe('1\n2\n3\n')
      },
      PATIENCE_MS,
    )

    it('a disk limit ignores a process that is unreadable for a moment', async () => {
      const { ending } = await run('cp "$(command -v perl)" p && chmod 111 p && for i in 1 2 3 4 5; do ./p -e 1; done')
      expect(ending).toEqual({ how: 'exited', status: 0 })
    })

    it('a disk limit counts the writes of an undumpable process', async () => {
      const undumpable = `syscall(${process.arch === 'x64' ? 157 : 167}, 4, 0, 0, 0, 0) == 0 or die`
      const { ending } = await run(
        `exec perl -e '${undumpable}; open F, ">", "f"; while (1) { syswrite F, "x" x (1 << 20) }'`,
      )
      expect(ending).toEqual({ how: 'killed', signal: 'SIGKILL', by: 'limit', limit: 'disk written (48 MiB)' })
    })

    it('a disk limit counts space allocated without writing', async () => {
      const heard = await run('fallocate -l 4M f; stat -c %b f; fallocate -x -l 4K g && wc -c < g')
      expect(heard.stdout.toString()).toBe('0\n4096\n')
      expect(heard.stderr.toString()).toMatch(/fallocate.*not supported/i)
    })

    it('a disk limit does not count pipes and the private /tmp', async () => {
      const { ending } = await run('head -c 200M /dev/zero | cat | cat > /dev/null; head -c 100M /dev/zero > /tmp/x')
      expect(ending).toEqual({ how: 'exited', status: 0 })
      expect(readdirSync(sandboxed.workspace)).toEqual([])
    })
  })
}
