import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { afterEach, describe, expect, it } from 'vitest'
import { AGENT_TABLE } from '../../../src/host/agent-settings/agent-table.js'
import { openChangedFiles, type WantedFile } from '../../../src/host/agent-settings/changed-files.js'
import { trustLines } from '../../../src/host/agent-settings/codex-trust.js'
import { importPermissions, permissionsToml } from '../../../src/host/agent-settings/import-permissions.js'
import { addToJson, isThere, removeFromJson, valueAt } from '../../../src/host/agent-settings/settings-edit.js'
import { fc } from '../../property.js'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

function ground() {
  const root = mkdtempSync(join(tmpdir(), 'cordon-settings-'))
  roots.push(root)
  return { home: join(root, 'home'), state: join(root, 'state') }
}

const PROGRAMS = { cordon: '/opt/cordon/bin/cordon', shell: '/opt/cordon/bin/cordon-shell' }
const wantedIn = (home: string): readonly WantedFile[] =>
  AGENT_TABLE.filter(({ id }) => id !== 'vscode').flatMap(({ wanted }) => wanted({ home, env: {} }, PROGRAMS))
const claudeIn = (home: string): WantedFile => wantedIn(home)[0] as WantedFile

/** Settings with comments, trailing commas, line ends and indentation as people write them. */
const written = fc
  .record({
    entries: fc.array(
      fc.record({
        key: fc.constantFrom('model', 'theme', 'hooks', 'env', 'permissions', 'ünï "quoted"'),
        comment: fc.constantFrom('', '// a note', '/* block\n   note */'),
      }),
      { maxLength: 5 },
    ),
    indent: fc.constantFrom('  ', '    ', '\t', '', '   '),
    eol: fc.constantFrom('\n', '\r\n'),
    trailingComma: fc.boolean(),
    finalNewline: fc.boolean(),
    mark: fc.boolean(),
    hooks: fc.constantFrom(
      '{}',
      '{ "PreToolUse": [] }',
      '{ "PreToolUse": [ { "matcher": "Bash", "hooks": [], }, ], }',
      '{ /* none yet */ }',
      '{ "PostToolUse": [1, 2 /* two */] }',
    ),
  })
  .map(({ entries, indent, eol, trailingComma, finalNewline, mark, hooks }) => {
    const distinct = entries.filter(({ key }, index) => entries.findIndex((other) => other.key === key) === index)
    const valueFor = (key: string): string =>
      key === 'hooks'
        ? hooks
        : key === 'env'
          ? '{ "A": "1", }'
          : key === 'permissions'
            ? '{"allow":["Read"]}'
            : '"x, y"'
    const lines = distinct.map(({ key, comment }, index) => {
      const comma = index < distinct.length - 1 || trailingComma ? ',' : ''
      return `${comment === '' ? '' : `${indent}${comment}\n`}${indent}${JSON.stringify(key)}: ${valueFor(key)}${comma}\n`
    })
    const text = `{\n${lines.join('')}}${finalNewline ? '\n' : ''}`.replace(/\n/g, eol)
    return (mark ? '\ufeff' : '') + text
  })

const writtenToml = fc
  .record({
    lines: fc.subarray([
      '# a note',
      'model = "o" # why',
      '',
      '  [a.b]',
      'list = [\n  1,\n  2, # two\n]',
      '[[x]]',
      "k = 'v'",
    ]),
    eol: fc.constantFrom('\n', '\r\n'),
    finalNewline: fc.boolean(),
  })
  .map(({ lines, eol, finalNewline }) => `${lines.join('\n')}${finalNewline ? '\n' : ''}`.replace(/\n/g, eol))

describe('settings that an agent reads', () => {
  it('are byte for byte as they were after init and uninstall, however they were written', () => {
    fc.assert(
      fc.property(written, (text) => {
        const { home, state } = ground()
        const edited = wantedIn(home).filter(({ edits }) => edits.length > 0)
        expect(edited).toHaveLength(7)
        for (const { path } of edited) {
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, text)
        }
        const files = openChangedFiles(state)
        for (const wanted of wantedIn(home)) files.apply(wanted)
        for (const { path, edits } of edited)
          for (const edit of edits) expect(isThere(readFileSync(path, 'utf8'), edit), path).toBe(true)
        for (const wanted of wantedIn(home)) expect(files.plan(wanted)).toBeNull()
        openChangedFiles(state).remove()
        for (const { path } of edited) expect(readFileSync(path, 'utf8'), path).toBe(text)
        expect(existsSync(join(home, '.copilot'))).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('in TOML too, with what a person wrote since, and the trust in a hook is read there', () => {
    const hooks = [{ key: 'user:/h "o"/hooks.json:0', currentHash: 'sha256:1', trustStatus: 'untrusted', command: '' }]
    fc.assert(
      fc.property(writtenToml, fc.boolean(), (text, isChanged) => {
        const { home, state } = ground()
        const path = join(home, '.codex/config.toml')
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
        const files = openChangedFiles(state)
        files.apply({ path, agent: 'codex', edits: [], block: trustLines(hooks) })
        const added = readFileSync(path, 'utf8')
        expect(parseToml(added)).toMatchObject({
          hooks: { state: { [hooks[0]?.key ?? '']: { trusted_hash: 'sha256:1' } } },
        })
        const since = '# since\r\n[tools]\nweb = true'
        if (isChanged) writeFileSync(path, added + since)
        openChangedFiles(state).remove()
        expect(readFileSync(path, 'utf8')).toBe(isChanged ? text + since : text)
      }),
      { numRuns: 30 },
    )
  })

  it('keep what a person wrote since, and lose only the entries of Cordon', () => {
    fc.assert(
      fc.property(written, (text) => {
        const { edits } = claudeIn('/home/anna')
        const before = valueAt(text, [])
        const added = addToJson(text, edits)
        expect(valueAt(removeFromJson(added, edits, text), ['model'])).toEqual((before as { model?: unknown }).model)
        for (const line of text.split(/\r?\n/).filter((one) => one.includes('model'))) expect(added).toContain(line)
        const changed = addToJson(added, [{ kind: 'set', path: ['added'], value: 'by a person' }])
        const removed = removeFromJson(changed, edits, text)
        expect(removed).not.toContain('cordon')
        expect(valueAt(removed, ['added'])).toBe('by a person')
        for (const comment of text.match(/\/\/ a note|block/g) ?? []) expect(removed).toContain(comment)
      }),
      { numRuns: 300 },
    )
  })

  it('keep the comments and every line that a person wrote when an entry is added', () => {
    const text = '{\n\t// mine\n\t"model": "opus", // why\n\t"hooks": {"PreToolUse": [],},\n}'
    const added = addToJson(text, claudeIn('/home/anna').edits)
    expect(added).toContain('\t// mine\n\t"model": "opus", // why\n')
    expect(added).toMatch(/\n\t+"matcher"/)
  })

  it('are left as they are where they are no JSON', () => {
    const { home, state } = ground()
    const wanted = claudeIn(home)
    mkdirSync(dirname(wanted.path), { recursive: true })
    writeFileSync(wanted.path, '{ "hooks": ')
    expect(() => openChangedFiles(state).apply(wanted)).toThrow(/no JSON object/)
    writeFileSync(wanted.path, '{ "hooks": "none" }')
    expect(() => openChangedFiles(state).apply(wanted)).toThrow(/it has "none" at hooks/)
    expect(readFileSync(wanted.path, 'utf8')).toBe('{ "hooks": "none" }')
  })

  it('are edited anew where Cordon moved, and go back to the first version', () => {
    const { home, state } = ground()
    const wanted = claudeIn(home)
    mkdirSync(dirname(wanted.path), { recursive: true })
    writeFileSync(wanted.path, '{}')
    const files = openChangedFiles(state)
    files.apply(wanted)
    const [claude] = AGENT_TABLE
    const [moved] = claude?.wanted({ home, env: {} }, { cordon: '/new/cordon', shell: null }) ?? []
    files.apply(moved as WantedFile)
    expect(readFileSync(wanted.path, 'utf8')).not.toContain('/opt/cordon')
    files.remove()
    expect(readFileSync(wanted.path, 'utf8')).toBe('{}')
  })
})

describe('permissions that a person gave an agent', () => {
  const settings = JSON.stringify({
    permissions: {
      allow: ['Bash(npm run test:*)', 'Bash', 'Bash(python:*)', 'Read(./src/**)', 'Bash(bash -c *)'],
      deny: ['Bash(rm:*)', 'WebFetch'],
    },
  })

  it('become permissions of Cordon, but for those that would allow everything or are not about commands', () => {
    const imported = importPermissions(settings)
    expect(imported.lists).toEqual({ allow: ['Bash(npm run test:*)'], ask: [], deny: ['Bash(rm:*)'] })
    expect(imported.unread.map(({ entry }) => entry)).toEqual([
      'Bash',
      'Bash(python:*)',
      'Read(./src/**)',
      'Bash(bash -c *)',
      'WebFetch',
    ])
    expect(permissionsToml(imported, 'x')).toBe(
      '\n# Imported from x by `cordon init`.\n[permissions]\nallow = [\n  "Bash(npm run test:*)",\n]\ndeny = [\n  "Bash(rm:*)",\n]\n',
    )
  })
})

describe('settings of an agent that are no file', () => {
  it.each(['/dev/zero', '/proc/self/pagemap', 'a pipe'])('are refused without waiting: %s', (place) => {
    const { home, state } = ground()
    const wanted = claudeIn(home)
    mkdirSync(dirname(wanted.path), { recursive: true })
    if (place === 'a pipe') execFileSync('mkfifo', [wanted.path])
    else symlinkSync(place, wanted.path)
    expect(() => openChangedFiles(state).plan(wanted)).toThrow('it is no regular file, or a very large one')
  })
})
