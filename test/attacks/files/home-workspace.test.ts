import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'

/** Files that run by themselves, or give access, without further action. */
const PLANTS: readonly string[] = [
  '.ssh/authorized_keys',
  '.bashrc',
  '.config/systemd/user/evil.service',
  '.local/share/systemd/user/evil.service',
  '.local/share/dbus-1/services/evil.service',
  '.config/autostart/evil.desktop',
  '.config/environment.d/evil.conf',
  '.config/cordon/cordon.toml',
  '.docker/config.json',
  '.claude/settings.json',
  'opencode.jsonc',
  '.opencode/plugin/evil.js',
]
/** Uses Perl, in which the analyser sees no path, so that only the sandbox decides. */
const ATTACK = `
rename '.local/state', '.local/moved'; rename '.local', 'moved'; rename '.config', 'moved too';
mkdir '.local'; mkdir '.local/state'; mkdir '.local/state/cordon'; print open(my $forged, '>', '.local/state/cordon/audit.db') ? "forged\\n" : "kept\\n";
for my $plant (${PLANTS.map((name) => `'${name}'`)}) {
  my $made = ''; for (split m{/}, $plant =~ s{/?[^/]*$}{}r) { $made .= "$_/"; mkdir $made }
  if (open(my $file, '>', $plant)) { print $file 'evil' }
}`

describe.each([['off'], ['always']])('a home that is the workspace, with transactions %s', (mode) => {
  let home: string
  const told: string[] = []
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-home-')))
    mkdirSync(join(home, '.config/cordon'), { recursive: true })
    const settings = `[profiles.home]\nextends = "workspace"\ntransaction = { mode = "${mode}" }\n`
    writeFileSync(join(home, '.config/cordon/cordon.toml'), settings)
    writeFileSync(join(home, 'attack.pl'), ATTACK)
  })
  afterEach(async () => {
    rmSync(home, { recursive: true, force: true })
    await removeQuarantined(told.splice(0))
  })

  it("a home as workspace keeps Cordon's records, even behind a symlink", async () => {
    mkdirSync(join(home, 'data'))
    symlinkSync('data', join(home, 'records'))
    writeFileSync(join(home, 'attack.pl'), `unlink 'records'; mkdir 'records'; mkdir 'records/cordon'`)
    const cordon = await createCordon({
      workspace: home,
      env: { PATH: '/usr/bin:/bin', HOME: home },
      profile: 'home',
      stateDirectory: join(home, 'records/cordon'),
    })
    try {
      const { evidence } = await cordon.run('perl attack.pl')
      told.push(...evidence)
      expect(readlinkSync(join(home, 'records'))).toBe('data')
      expect(await cordon.audit.verify()).toMatchObject({ ok: true })
    } finally {
      await cordon.close()
    }
  })

  it("a home as workspace keeps Cordon's records, and accepts no file that runs by itself", async () => {
    const cordon = await createCordon({ workspace: home, env: { PATH: '/usr/bin:/bin', HOME: home }, profile: 'home' })
    try {
      const { stdout, evidence } = await cordon.run('perl attack.pl')
      told.push(...evidence)
      expect(stdout).toBe('kept\n')
      const planted = PLANTS.filter((name) => name !== '.config/cordon/cordon.toml')
      expect(planted.filter((name) => existsSync(join(home, name)))).toEqual([])
      expect((await cordon.run('echo later')).stdout).toBe('later\n')
      expect(await cordon.audit.verify()).toMatchObject({ ok: true })
    } finally {
      await cordon.close()
    }
  })
})
