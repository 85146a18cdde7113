import { describe, expect, it } from 'vitest'
import type { SecuredWorkspace } from './secured-workspace.js'

/** What is told of past transactions. */
export function telling(name: string, ground: SecuredWorkspace): void {
  describe(`what is told of a transaction (${name})`, () => {
    it('shows a unified diff of text and the sizes of what is not', async () => {
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

    it('says what else is new about a file, and what is when its text is not', async () => {
      const { report } = await ground.run(`echo x >> a.txt; chmod 600 a.txt; touch -d '2001-01-01' src/b.txt`)
      const diffs = ground.transactions.diff(report?.id ?? '')
      const of = (path: string) => diffs.find(({ change }) => change.path === ground.at(path))
      expect([of('a.txt')?.text?.includes('+x\n'), of('a.txt')?.note]).toEqual([true, 'mode 0644 → 0600'])
      expect(of('src/b.txt')).toMatchObject({
        text: null,
        note: 'the same text: its time, owner or extended attributes changed',
      })
    })

    it('still shows the diff of a command whose files were changed by a later one', async () => {
      const { report } = await ground.run('sed -i s/two/2/ a.txt')
      await ground.run('sed -i s/three/3/ a.txt')
      expect(ground.transactions.diff(report?.id ?? '')[0]?.text).toContain('-two\n+2\n')
    })

    it('lists past transactions newest first, with their commands', async () => {
      await ground.run('echo 1 > one')
      await ground.run('echo 2 > two; exit 9')
      expect(ground.transactions.history().map(({ command, state: now }) => [command, now])).toEqual([
        ['echo 2 > two; exit 9', 'rolled-back'],
        ['echo 1 > one', 'committed'],
      ])
      expect(ground.transactions.history({ limit: 1 })).toHaveLength(1)
    })

    it('says clearly that there is no such transaction', async () => {
      await expect(ground.transactions.undo('nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(ground.transactions.undo('../../etc/passwd')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
      expect(() => ground.transactions.diff('nope')).toThrow('There is no transaction nope')
    })
  })
}
