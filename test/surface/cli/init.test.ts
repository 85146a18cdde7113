import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ground, grounds } from '../binary.js'

const newGround = grounds()

const SETTINGS =
  '{\r\n\t// mine\r\n\t"model": "opus",\r\n\t"permissions": {"allow": ["Bash(npm test:*)", "Read"],},\r\n}'

function withClaude(): Ground & { readonly settings: string } {
  const ground = newGround()
  const settings = join(ground.home, '.claude/settings.json')
  mkdirSync(dirname(settings))
  writeFileSync(settings, SETTINGS)
  return { ...ground, settings }
}

describe('cordon init', () => {
  it('shows each edit and changes nothing without a yes', async () => {
    const { run, settings } = withClaude()
    const { status, stdout, stderr } = await run(['init'])
    expect(status).toBe(1)
    expect(stdout).toContain('hook claude-code ||')
    expect(stderr).toContain('Nothing was changed')
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS)
  })

  it('prints JSON with keys in snake_case alone', async () => {
    const { run } = withClaude()
    const { stdout } = await run(['init', '--json'])
    const keys = [...stdout.matchAll(/"([^"\\]+)":/g)].map(([, key = '']) => key)
    expect(JSON.parse(stdout)).toMatchObject({ applied: false })
    expect(keys.filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([])
  })

  it('registers the hook, fires it, imports permissions, does it once, and takes it out byte for byte', async () => {
    const { run, settings, home } = withClaude()
    const first = await run(['init', '--yes'])
    expect(first.stdout).toMatch(/✔ Claude Code hook +denied `sudo id`, as it must/)
    expect(first.stdout).toContain('The permission Read is not imported')
    expect(first.status).toBe(0)
    const registered = readFileSync(settings, 'utf8')
    expect(registered.startsWith('{\r\n\t// mine\r\n\t"model": "opus",\r\n')).toBe(true)
    expect(readFileSync(join(home, '.config/cordon/cordon.toml'), 'utf8')).toContain('"Bash(npm test:*)"')
    expect((await run(['init', '--yes'])).stdout).toContain('Nothing to change.')
    expect(readFileSync(settings, 'utf8')).toBe(registered)
    expect((await run(['init', '--uninstall', '--yes'])).status).toBe(0)
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS)
    expect(existsSync(join(home, '.config/cordon'))).toBe(false)
  })

  it('says where a startup file of the shell prints before the answer of the hook', async () => {
    const { run, home } = withClaude()
    writeFileSync(join(home, '.bashrc'), 'echo Welcome\n')
    const { status, stdout } = await run(['init', '--yes'])
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(/✘ Claude Code hook +something printed before.*Welcome/),
    ])
  })

  it('takes out only its own entries where a person has changed the file since', async () => {
    const { run, settings } = withClaude()
    await run(['init', '--yes'])
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('"opus"', '"sonnet"'))
    await run(['init', '--uninstall', '--yes'])
    const left = readFileSync(settings, 'utf8')
    expect(left).toContain('"model": "sonnet",\r\n')
    expect(left).not.toContain('hook claude-code')
  })

  it("writes the administrators' files and binding settings below the root that is named", async () => {
    const { run, root } = newGround()
    const below = join(root, 'machine')
    expect((await run(['init', '--managed', '--root', below, '--yes'])).status).toBe(0)
    for (const [file, text] of [
      ['claude-code/managed-settings.json', 'hook claude-code'],
      ['codex/hooks.json', 'hook codex'],
      ['gemini-cli/settings.json', 'hook gemini'],
      ['github-copilot/policy.d/cordon.json', 'copilot'],
      ['cursor/hooks.json', 'failClosed'],
      ['cordon/cordon.toml', 'allowed_profiles'],
    ] as const)
      expect(readFileSync(join(below, 'etc', file), 'utf8'), file).toContain(text)
    expect((await run(['init', '--uninstall', '--yes'])).status).toBe(0)
    expect(existsSync(join(below, 'etc'))).toBe(false)
  })

  it('says that a sandbox of the agent itself is on, and leaves settings that it cannot read', async () => {
    const { run, settings } = withClaude()
    writeFileSync(settings, '{"sandbox": {"enabled": true}}')
    expect((await run(['init'])).stdout).toContain('sandbox.enabled')
    writeFileSync(settings, '{"hooks": ')
    expect((await run(['init', '--yes'])).stdout).toContain('is left as it is')
    expect(readFileSync(settings, 'utf8')).toBe('{"hooks": ')
  })
})

describe('cordon doctor --agents', () => {
  it('says that a hook is registered, fires and fails closed, and sees one that is gone', async () => {
    const { run } = withClaude()
    const found = await run(['doctor', '--agents'])
    expect([found.status, found.stdout]).toEqual([1, expect.stringContaining('not registered')])
    await run(['init', '--yes'])
    const { status, stdout } = await run(['doctor', '--agents'])
    expect(stdout).toMatch(
      /✔ Claude Code +registered; last event \d{4}-.*\n✔ Claude Code hook +denied.*\n✔ Claude Code hook, killed +blocks/,
    )
    expect(status).toBe(0)
    // Without `timeout` the guard refuses, and the hook itself says nothing.
    const broken = await run(['doctor', '--agents'], { env: { PATH: '/nonexistent' } })
    expect(broken.status).toBe(1)
    expect(broken.stdout).toMatch(/✘ Claude Code hook +did not deny/)
  })
})
