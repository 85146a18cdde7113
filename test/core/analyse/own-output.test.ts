import { describe, expect, it } from 'vitest'
import { noAnswers } from '../../../src/core/model/facts.js'
import { factsOf, hidden, lines } from './facts-of.js'

const HOOKS = [
  'eval "$(ssh-agent -s)"',
  'eval "$(direnv hook bash)"',
  'eval "$(pyenv init -)"',
  'eval "$(pyenv init --path)" && pyenv versions',
  'eval "$(rbenv init - bash)"',
  'eval "$(brew shellenv)"',
  'eval "$(conda shell.bash hook)"',
  'eval "$(fnm env --use-on-cd)"',
  'source <(kubectl completion bash)',
  'NODE_ENV=test; eval "$(mise activate bash)"',
]

describe('settings for the shell that a program prints', () => {
  it.each(HOOKS)('are the code of that program, and not hidden: %s', (script) => {
    const facts = factsOf(script)
    expect(hidden(facts)).toBe(false)
    expect(facts.opaque.some(({ kind, inherent }) => kind === 'foreign' && !inherent)).toBe(true)
  })

  it.each([
    'eval "$(./pyenv init -)"',
    'eval "$(/tmp/ssh-agent -s)"',
    'eval "$(pyenv init - "$x")"',
    'eval "$(pyenv which python)"',
    'eval "$(pyenv exec evil)"',
    `export PYENV_ROOT='$(rm -rf /)'; eval "$(pyenv init -)"`,
    `HOME='\`id\`'; eval "$(brew shellenv)"`,
    `read -r PYENV_ROOT; eval "$(pyenv init -)"`,
    `cd '$(id)' && eval "$(direnv hook bash)"`,
    'eval "$(direnv export bash)"',
    'eval "$(cat settings)"',
  ])('are hidden where the line has a say in them: %s', (script) => {
    expect(hidden(factsOf(script))).toBe(true)
  })

  it.each([
    'pyenv() { echo "rm -rf /"; }; eval "$(pyenv init -)"',
    'mkdir b; echo "echo rm -rf /" > b/pyenv; chmod +x b/pyenv; PATH=b:$PATH; eval "$(pyenv init -)"',
    'python3 -m venv v; echo "rm -rf /" >> v/bin/activate; . v/bin/activate',
  ])('do not cover what the script itself puts in their place: %s', (script) => {
    expect(lines(factsOf(script)).some((line) => line.endsWith('rm -rf /'))).toBe(true)
  })
})

describe('programs that a tool names', () => {
  it.each([
    ['$(npm bin)/tsc --noEmit', '/w/node_modules/.bin/tsc'],
    ['"$(npm root)/.bin/jest"', '/w/node_modules/.bin/jest'],
    ['$(go env GOPATH)/bin/golangci-lint run', '/home/u/go/bin/golangci-lint'],
  ])('are found where it puts them: %s', (script, program) => {
    const facts = factsOf(script)
    expect(hidden(facts)).toBe(false)
    expect(facts.invocations.map(({ argv }) => argv[0])).toContain(program)
  })
})

describe('programs and scripts that the same line makes', () => {
  it.each([
    'gcc -O2 -o hello hello.c && ./hello',
    "cat > m.c <<'E'\nint main(){}\nE\ncc m.c -o m && ./m",
    'go build -o app . && ./app --help',
    'rustc -o x x.rs && ./x',
    'python3 -m venv .venv && source .venv/bin/activate && pip install -r requirements.txt',
    'uv venv && . .venv/bin/activate',
    'bash -n scripts/deploy.sh',
  ])('are not hidden: %s', (script) => {
    expect(hidden(factsOf(script))).toBe(false)
  })

  it.each([
    'echo "rm -rf /" > a.c; gcc -E -P a.c -o x; chmod +x x; ./x',
    'gcc -wrapper ./evil -o x a.c; ./x',
    'bash -n -c "$(cat x)"',
  ])('are where it is not what it looks like: %s', (script) => {
    expect(hidden(factsOf(script))).toBe(true)
  })

  it.each(['python3 -m venv --help v; . w/bin/activate', 'bash -n +n x.sh', 'bash -n -i x.sh'])(
    'are told of while they are not read: %s',
    (script) => {
      expect(factsOf(script).opaque.some(({ inherent }) => !inherent)).toBe(true)
    },
  )

  it('read the settings of an environment that was there before', () => {
    const answers = noAnswers()
    answers.scripts.set('/w/v/bin/activate', 'rm -rf /')
    expect(
      lines(factsOf('python3 -m venv v; . v/bin/activate', answers)).some((line) => line.endsWith('rm -rf /')),
    ).toBe(true)
  })
})
