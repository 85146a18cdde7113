import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { heldId } from '../../held-id.js'

/** Attacks files outside the workspace in profiles that forbid such reads. */
export function outsideReads(who: string): void {
  let top: string
  let out: string
  let home: string
  let cordon: Cordon
  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-outside-')))
    // A private /tmp hides all of /tmp anyway.
    out = realpathSync(mkdtempSync('/var/tmp/cordon-outside-'))
    home = join(top, 'home')
    const made = ['.config/cordon', 'work/app', 'work/sibling', 'models', '.pyenv']
    for (const name of made) mkdirSync(join(home, name), { recursive: true })
    for (const name of ['named', 'unnamed', 'tools/bin', 'tools/lib', 'tools/data'])
      mkdirSync(join(out, name), { recursive: true })
    const files = [`${home}/work/sibling`, `${home}/models`, `${home}/.pyenv`, `${out}/named`, `${out}/unnamed`]
    for (const directory of [...files, `${out}/tools/lib`, `${out}/tools/data`])
      writeFileSync(`${directory}/file`, 'CONTENT\n')
    writeFileSync(`${out}/named/.env`, 'SECRET\n')
    writeFileSync(`${out}/tools/bin/tool`, `#!/bin/sh\ncat ${out}/tools/lib/file\n`)
    chmodSync(`${out}/tools/bin/tool`, 0o755)
    writeFileSync(
      `${home}/.config/cordon/cordon.toml`,
      `[profiles.closed]
extends = "workspace"
paths.read_outside = "deny"
paths.readable = ["${out}/named", "~/models"]
paths.hidden = ["...", "${out}/named/.env"]

[profiles.asking]
extends = "workspace"
paths.read_outside = "ask"
paths.hidden = ["...", "${out}/named/.env"]
`,
    )
    const env = { PATH: `${out}/tools/bin:/usr/bin:/bin`, HOME: home }
    const workspace = join(home, 'work/app')
    cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env })
  })
  afterAll(async () => {
    await cordon.close()
    await removeTree(top)
    await removeTree(out)
  })

  /** Reads a path by code that the analyser does not read. */
  const read = async (path: string, profile: string): Promise<string> => {
    const { stdout } = await cordon.run(
      {
        program: 'perl',
        args: [
          '-e',
          'my $f; open $f, "<", join("/", split(",", $ARGV[0])) and print <$f> or print "$!\\n"',
          path.replaceAll('/', ','),
        ],
      },
      { profile },
    )
    return stdout.trim()
  }

  describe(`${who}: where read_outside is "deny"`, () => {
    it.each([
      ['a directory of paths.readable', () => `${out}/named/file`, 'CONTENT'],
      ['a directory of paths.readable in the home', () => `${home}/models/file`, 'CONTENT'],
      ['an entry that the profile shares from the home', () => `${home}/.pyenv/file`, 'CONTENT'],
      ['what belongs to a directory of PATH', () => `${out}/tools/lib/file`, 'CONTENT'],
      ['what is hidden in a directory of paths.readable', () => `${out}/named/.env`, 'Permission denied'],
      ['what lies beside a directory of PATH', () => `${out}/tools/data/file`, 'No such file or directory'],
      ['any other directory', () => `${out}/unnamed/file`, 'No such file or directory'],
      ['the directory around the workspace', () => `${home}/work/sibling/file`, 'No such file or directory'],
      ['a file by the root of a process', () => `/proc/self/root${out}/unnamed/file`, 'No such file or directory'],
    ])('unanalysed code reads only the paths of the profile: %s', async (_, path, found) => {
      expect(await read(path(), 'closed')).toBe(found)
    })

    it('programs of the system and of PATH work', async () => {
      const { stdout, exitCode } = await cordon.run(
        `tool && git --version && perl -e 'exit !(-r "/opt" && -r "/usr/local")' && getent passwd 0 | cut -d: -f1`,
        { profile: 'closed' },
      )
      expect([exitCode, stdout.startsWith('CONTENT'), stdout.includes('root')]).toEqual([0, true, true])
    })
  })

  describe(`${who}: where read_outside is "ask"`, () => {
    it('an approval shows the path to that command, and nothing else', async () => {
      const code = `printf %s "$(perl -e 'print -e "${out}/unnamed/file" ? "there" : "missing"')"`
      const show = `${code}; cat ${out}/named/file`
      const held = await cordon.run(show, { profile: 'asking' }).catch((error) => error)
      expect(held.code).toBe('CONFIRMATION_REQUIRED')
      cordon.approvals.answer(heldId(held), 'approved')
      const { stdout } = await cordon.run(show, { profile: 'asking' })
      expect(stdout).toBe('missingCONTENT\n')
      expect(await read(`${out}/named/file`, 'asking')).toBe('No such file or directory')
    })
  })
}
