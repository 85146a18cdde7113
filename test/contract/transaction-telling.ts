import { describe, expect, it } from 'vitest'
import type { SecuredWorkspace } from './secured-workspace.js'

/** Tests reports of past transactions. */
export function telling(name: string, ground: SecuredWorkspace): void {
  describe(`reports of a transaction (${name})`, () => {
    it('a diff shows unified text, and sizes of binary files', async () => {
      const { report } = await ground.run(
        `sed -i s/two/2/ a.txt; printf 'a\\0b' > binary; rm src/b.txt; chmod 600 tool.sh`,
      )
      const diffs = ground.transactions.diff(report?.id ?? '')
      const of = (path: string) => diffs.find(({ change }) => change.path === ground.at(path))
      expect(of('a.txt')?.text).toContain('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n')
      expect(of('binary')).toMatchObject({ text: null, note: 'binary, 0 → 3 bytes' })
      expect(of('src/b.txt')?.text).toContain('-b\n')
      expect(of('tool.sh')?.note).toBe('mode 0750 → 0600')
    })

    it('a diff shows changed modes and kinds, also without changed text', async () => {
      const { report } = await ground.run(`echo x >> a.txt; chmod 600 a.txt; touch -d '2001-01-01' src/b.txt`)
      const diffs = ground.transactions.diff(report?.id ?? '')
      const of = (path: string) => diffs.find(({ change }) => change.path === ground.at(path))
      expect([of('a.txt')?.text?.includes('+x\n'), of('a.txt')?.note]).toEqual([true, 'mode 0644 → 0600'])
      expect(of('src/b.txt')).toMatchObject({
        text: null,
        note: 'same content; time, owner or extended attributes changed',
      })
    })

    it('a diff stays available after a later command changed the files', async () => {
      const { report } = await ground.run('sed -i s/two/2/ a.txt')
      await ground.run('sed -i s/three/3/ a.txt')
      expect(ground.transactions.diff(report?.id ?? '')[0]?.text).toContain('-two\n+2\n')
    })

    it('past transactions are listed newest first, with their commands', async () => {
      await ground.run('echo 1 > one')
      await ground.run('echo 2 > two; exit 9')
      expect(ground.transactions.history().map(({ command, state: now }) => [command, now])).toEqual([
        ['echo 2 > two; exit 9', 'rolled-back'],
        ['echo 1 > one', 'committed'],
      ])
      expect(ground.transactions.history({ limit: 1 })).toHaveLength(1)
    })

    it('an unknown transaction is reported clearly', async () => {
      await expect(ground.transactions.undo('nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(ground.transactions.undo('../../etc/passwd')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
      expect(() => ground.transactions.diff('nope')).toThrow('Transaction nope does not exist')
    })
  })
}
