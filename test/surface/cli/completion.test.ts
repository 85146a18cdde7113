import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { cordon } from './in-process.js'

/** Real bash, asked what it would offer for a line typed so far. `cordon` itself is a stub that knows two profiles. */
async function offered(line: string): Promise<readonly string[]> {
  const { stdout } = await cordon(['completion', 'bash'])
  const script = `${stdout}
    cordon() { [[ "$*" == 'profiles --names' ]] && printf 'workspace\\nreadonly\\n'; }
    read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    [[ $(complete -p cordon) == 'complete -F _cordon cordon' ]] || exit 9
    _cordon
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', line], { encoding: 'utf8', stdio: 'pipe' })
  return out.split('\n').filter((word) => word !== '')
}

describe('bash completion', () => {
  it.each([
    ['cordon ru', ['run']],
    ['cordon aud', ['audit']],
    ['cordon audit ver', ['verify']],
    ['cordon completion ', ['bash', 'zsh', 'fish']],
    ['cordon run --prof', ['--profile']],
    ['cordon run --profile ', ['workspace', 'readonly']],
    ['cordon run --profile read', ['readonly']],
    ['cordon run --profile readonly --keep', ['--keep-output']],
    ['cordon --vers', ['--version']],
    ['cordon run --agent ', []],
    ['cordon run -- --', []],
  ])('completing %j offers the words %j', async (line, words) => {
    expect(await offered(line)).toEqual(words)
  })

  it('offers programs, then files, after the dashes of exec', async () => {
    expect(await offered('cordon exec -- bas')).toContain('bash')
    expect(await offered('cordon exec --profile x -- ls /etc/pass')).toContain('/etc/passwd')
  })
})

describe('the scripts for the other shells', () => {
  it.each(['zsh', 'fish'])('%s has every command and every option', async (shell) => {
    const { status, stdout } = await cordon(['completion', shell])
    expect(status).toBe(0)
    for (const word of ['run', 'exec', 'check', 'audit', 'doctor', 'profiles', 'mcp', 'keep-output', 'verify']) {
      expect(stdout).toContain(word)
    }
  })

  it('another shell is an error that names those there are', async () => {
    const { status, stderr } = await cordon(['completion', 'tcsh'])
    expect(status).toBe(125)
    expect(stderr).toMatch(/bash, zsh, fish/)
  })
})
