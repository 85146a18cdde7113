import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Profile } from '../../../src/core/model/policy/profile.js'
import { removeTree } from '../../../src/host/transaction/paths/remove-tree.js'
import { type Cordon, createCordon } from '../../../src/node.js'
import { removeQuarantined } from '../../contract/quarantined-files.js'

/** Access that a path rule refuses, and the same access by code that the analyser does not read. */
interface Attempt {
  readonly profile: string
  readonly script: string
  /** Perl. `$out` is a directory outside, `$home` the person's home. */
  readonly foreign: string
  /** Profile in whose sandbox the foreign code runs, if the rule itself applies only without one. */
  readonly sandboxed?: string
}

const PRINT = 'sub show { my $f; open $f, "<", $_[0] and print <$f> or print "refused\\n" }'
const PUT = 'sub put { my $f; open $f, ">", $_[0] and print $f "changed" and close $f or print "refused\\n" }'

/** One attempt for each rule. A rule without one fails the test that lists them. */
const RULES: Record<string, Attempt> = {
  'path/hidden': { profile: 'workspace', script: 'cat .env', foreign: 'show(".e"."nv")' },
  'path/contains-hidden': {
    profile: 'open',
    script: 'cp -r ~ /tmp/copy',
    foreign: 'show("$home/.s"."sh/id")',
    sandboxed: 'developer',
  },
  'path/protected': {
    profile: 'workspace',
    script: 'echo changed > .mcp.json',
    // One file is read-only; the change of the other is not kept.
    foreign: 'put(".cor"."don/kept"); put(".mcp"."."."json")',
  },
  'path/system-paths': {
    profile: 'open',
    script: 'touch /etc/cordon-test',
    foreign: 'put("/etc/cordon-test")',
    sandboxed: 'workspace',
  },
  'path/unknown': {
    profile: 'bare',
    script: 'cd "$(cat where)" && touch kept',
    foreign: 'put("$out/kept")',
    sandboxed: 'workspace',
  },
  'path/read-only': { profile: 'readonly', script: 'echo changed > kept', foreign: 'put("kept")' },
  'path/outside-read': { profile: 'closed', script: 'cat OUT/kept', foreign: 'show("$out/kept")' },
  'path/outside-write': { profile: 'workspace', script: 'echo changed > OUT/kept', foreign: 'put("$out/kept")' },
  'path/outside-delete': {
    profile: 'workspace',
    script: 'rm OUT/kept',
    foreign: 'unlink "$out/kept" or print "refused\\n"',
  },
}

/** Rules of each setting of a profile's paths. A setting without a line does not compile. */
const SETTINGS: Record<keyof Profile['paths'], readonly string[]> = {
  roots: ['path/outside-write', 'path/outside-read'],
  writable: ['path/outside-write', 'path/outside-delete'],
  readable: ['path/outside-read'],
  hidden: ['path/hidden', 'path/contains-hidden'],
  protected: ['path/protected'],
  write: ['path/read-only'],
  readOutside: ['path/outside-read'],
  writeOutside: ['path/outside-write', 'path/outside-delete', 'path/unknown', 'path/system-paths'],
}

const DECIDE = join(import.meta.dirname, '../../../src/core/decide')

/** Returns the names of path rules in the source. */
function rulesInSource(): readonly string[] {
  const files = readdirSync(DECIDE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const texts = files.map((name) => readFileSync(join(DECIDE, name), 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/['`](path\/[^'`\n]+)['`]/g)].map(([, name = '']) => name))
  return names.flatMap((name) =>
    name.includes('${kind}')
      ? ['read', 'write', 'delete'].map((kind) => name.replace('${kind}', kind))
      : [name.replace('${SYSTEM_PATHS}', 'system-paths')],
  )
}

const SETTINGS_FILE = `
[profiles.closed]
extends = "workspace"
paths.read_outside = "deny"

[profiles.bare]
extends = "open"
paths.roots = ["."]
paths.write_outside = "ask"
`

export function pathRules(who: string): void {
  let top: string
  let out: string
  let workspace: string
  let cordon: Cordon
  beforeAll(async () => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'cordon-rules-')))
    // A private /tmp hides all of /tmp anyway.
    out = realpathSync(mkdtempSync('/var/tmp/cordon-rules-'))
    workspace = join(top, 'workspace')
    for (const name of ['workspace', 'home', 'home/.ssh', 'home/.config', 'home/.config/cordon', 'state'])
      mkdirSync(join(top, name))
    writeFileSync(join(top, 'home/.config/cordon/cordon.toml'), SETTINGS_FILE)
    writeFileSync(join(top, 'home/.ssh/id'), 'SECRET\n')
    writeFileSync(join(out, 'kept'), 'SECRET\n')
    mkdirSync(join(workspace, '.cordon'))
    for (const name of ['.env', '.mcp.json', '.cordon/kept', 'kept']) writeFileSync(join(workspace, name), 'SECRET\n')
    writeFileSync(join(workspace, 'where'), `${out}\n`)
    const env = { PATH: '/usr/bin:/bin', HOME: join(top, 'home') }
    cordon = await createCordon({ workspace, stateDirectory: join(top, 'state'), env })
  })
  afterAll(async () => {
    await cordon.close()
    await removeTree(top)
    await removeTree(out)
  })

  describe(`${who}: a rule about paths`, () => {
    it('every path rule and setting has an attempt here', () => {
      expect(Object.keys(RULES).sort()).toEqual([...new Set(rulesInSource())].sort())
      expect([...new Set(Object.values(SETTINGS).flat())].sort()).toEqual(Object.keys(RULES).sort())
    })

    it.each(Object.entries(RULES))('%s is enforced by the analyser and by the sandbox', async (rule, attempt) => {
      const { profile, sandboxed = profile } = attempt
      const decision = cordon.check(attempt.script.replace('OUT', out), { profile })
      expect(decision.verdict).not.toBe('allow')
      expect(decision.because.map((one) => one.rule)).toContain(rule)

      const head = `${PRINT}\n${PUT}\nmy ($out, $home) = ("${out}", "${top}/home");\n`
      writeFileSync(join(workspace, 'attempt.pl'), `${head}${attempt.foreign};\n`)
      const { stdout, evidence } = await cordon.run('perl attempt.pl', { profile: sandboxed })
      await removeQuarantined(evidence)
      expect(stdout).not.toContain('SECRET')
      for (const path of [`${workspace}/.mcp.json`, `${workspace}/.cordon/kept`, `${out}/kept`])
        expect(readFileSync(path, 'utf8')).toBe('SECRET\n')
      if (rule === 'path/read-only') expect(readFileSync(`${workspace}/kept`, 'utf8')).toBe('SECRET\n')
      expect(stdout).toContain('refused')
    })
  })
}
