import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { people, snapshot } from './person.js'

const person = people()

/** Writes where real installers write: a file of their own beside those that are there, and records that they keep. */
const INSTALLERS: readonly (readonly [tool: string, script: string])[] = [
  ['a script into ~/.local/bin', 'put ~/.local/bin/fresh'],
  ['pip --user', 'put ~/.local/lib/python3.11/site-packages/fresh/__init__.py; put ~/.local/bin/fresh'],
  [
    'npm with its prefix in ~/.local',
    'put ~/.local/lib/node_modules/fresh/x; put ~/.local/lib/node_modules/@a/fresh/x',
  ],
  ['npm with its prefix in ~/.npm-global', 'put ~/.npm-global/lib/node_modules/fresh/x; put ~/.npm-global/bin/fresh'],
  ['cargo install', 'put ~/.cargo/bin/fresh; echo x >> ~/.cargo/.crates.toml; echo > ~/.cargo/.package-cache'],
  ['go install', 'put ~/go/bin/fresh; put ~/go/pkg/mod/x'],
  ['rustup', 'put ~/.rustup/toolchains/fresh/bin/rustc; echo x >> ~/.rustup/settings.toml; put ~/.rustup/tmp/x'],
  ['pipx', 'put ~/.local/share/pipx/venvs/fresh/bin/x; put ~/.local/share/man/man1/fresh.1'],
  ['uv tool', 'put ~/.local/share/uv/tools/fresh/bin/x; echo > ~/.local/share/uv/tools/.lock'],
]
const PUT = 'put() { mkdir -p "$(dirname "$1")" && echo "echo fresh" > "$1" && chmod +x "$1"; }; set -e\n'

function furnished() {
  const one = person()
  for (const path of [
    '.local/bin/old',
    '.local/lib/python3.11/site-packages/old/__init__.py',
    '.local/lib/python3.11/site-packages/old-1.dist-info/RECORD',
    '.local/lib/node_modules/@a/old/x',
    '.npm-global/lib/node_modules/old/x',
    '.npm-global/bin/old',
    '.cargo/bin/old',
    '.cargo/.crates.toml',
    '.cargo/.package-cache',
    'go/bin/old',
    '.rustup/toolchains/old/bin/rustc',
    '.rustup/settings.toml',
    '.local/share/pipx/venvs/old/bin/x',
    '.local/share/man/man1/old.1',
    '.local/share/uv/tools/old/bin/x',
    '.local/share/uv/tools/.lock',
  ])
    one.write(path, 'echo old\n', 0o755)
  return one
}

describe.each(['workspace', 'developer'])('installers in the profile %s', (profile) => {
  it('write beside what is shared, and the next command finds both', async () => {
    const { home, open } = furnished()
    const before = snapshot(home)
    const cordon = await open({ profile })
    for (const [tool, script] of INSTALLERS) {
      const { stderr, exitCode } = await cordon.run(PUT + script)
      expect([tool, stderr, exitCode]).toEqual([tool, '', 0])
    }
    const run = 'PATH=~/.local/bin:~/.cargo/bin:~/go/bin:$PATH; old; fresh; sh ~/.rustup/toolchains/old/bin/rustc'
    expect((await cordon.run(run)).stdout).toBe('old\nfresh\nold\n')
    expect((await cordon.run('cd ~/.local/lib/python3.11/site-packages && echo *')).stdout).toBe(
      'fresh old old-1.dist-info\n',
    )
    expect((await cordon.run('cat ~/.rustup/settings.toml ~/.local/share/pipx/venvs/old/bin/x')).stdout).toBe(
      'echo old\nx\necho old\n',
    )
    expect(snapshot(home)).toEqual(before)
  })

  it('replace a shared package, and the old one does not come back', async () => {
    const { write, open } = furnished()
    const cordon = await open({ profile })
    await cordon.run('cd ~/.local/lib/python3.11/site-packages && rm old-1.dist-info && mkdir old-2.dist-info')
    write('.local/lib/python3.11/site-packages/more/x', '')
    const list = 'cd ~/.local/lib/python3.11/site-packages && echo *'
    expect((await cordon.run(list)).stdout).toBe('more old old-2.dist-info\n')
    expect((await (await open({ profile })).run(list)).stdout).toBe('more old old-2.dist-info\n')
  })
})

it('a directory that tools install to and that leads elsewhere is linked, and one made since is found', async () => {
  const { home, write, open } = person()
  write('elsewhere/toolchains/old/x', 'old\n')
  symlinkSync('elsewhere', join(home, '.rustup'))
  const cordon = await open({ profile: 'developer' })
  expect((await cordon.run('cat ~/.rustup/toolchains/old/x')).stdout).toBe('old\n')
  mkdirSync(join(home, '.local/lib'), { recursive: true })
  write('.local/lib/python3.12/site-packages/new/x', 'new\n')
  const { stdout } = await cordon.run(
    'cat ~/.local/lib/python3.12/site-packages/new/x; mkdir ~/.local/lib/python3.12/site-packages/y && echo made',
  )
  expect(stdout).toBe('new\nmade\n')
})
