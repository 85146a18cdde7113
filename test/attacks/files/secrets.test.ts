import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { createCordon } from '../../../src/node.js'
import { shippedHidden } from '../support/shipped-hidden.js'

/** Uses Perl, in which the analyser sees no path, so that only the sandbox decides. */
const LOOK = `
use File::Find;
find({ no_chdir => 1, follow_skip => 2, wanted => sub {
  return unless -f $_ && -s _ < 4096; open my $f, "<", $_ or return; local $/; my $t = <$f> // ""; print "$_\\n" if $t =~ /^S.CRET$/;
} }, grep { -d } ($ENV{HOME}, "/run/cordon/home", $ENV{PWD}));
print "looked\\n";
`

/** Tests every secret path of the profiles in a person's home, as the tests' user and as another. */
describe('paths of a home that the profiles hide', () => {
  let home: string
  const secrets = shippedHidden().filter((pattern) => pattern.startsWith('~/'))
  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-secrets-')))
    for (const pattern of secrets) {
      const path = join(home, pattern.slice(2))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, 'SECRET')
      chmodSync(path, 0o644)
    }
    mkdirSync(join(home, 'project'))
    for (const directory of [home, join(home, 'project')]) writeFileSync(join(directory, 'look.pl'), LOOK)
  })
  afterAll(() => removeTree(home))

  it('hidden paths are many, each listed once', () => {
    expect(secrets.length).toBeGreaterThan(250)
    expect(new Set(secrets).size).toBe(secrets.length)
  })

  it.each([
    ['workspace', 'project'],
    ['workspace', '.'],
    ['developer', 'project'],
  ])('hidden paths cannot be read in the profile %s with the workspace %s', async (profile, workspace) => {
    const cordon = await createCordon({
      workspace: join(home, workspace),
      stateDirectory: join(home, 'state'),
      env: { PATH: '/usr/bin:/bin', HOME: home },
      profile,
      warm: 0,
    })
    try {
      expect((await cordon.run('perl look.pl')).stdout).toBe('looked\n')
    } finally {
      await cordon.close()
    }
  })
})
