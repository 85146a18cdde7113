import { describe, expect, it } from 'vitest'
import { noAnswers } from '../../../src/core/model/run/facts.js'
import { factsOf, hasUnknown, lines } from './facts-of.js'

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
  'export PYENV_ROOT=~/.pyenv; [[ -d $PYENV_ROOT/bin ]] && export PATH="$PYENV_ROOT/bin:$PATH"; eval "$(pyenv init -)"',
  'eval "$(/opt/homebrew/bin/brew shellenv)"',
  'eval "$(~/.local/bin/mise activate bash)"',
  'eval $(poetry env activate)',
]

describe('shell settings printed by a program', () => {
  it.each(HOOKS)("eval of a program's shell settings is not unknown: %s", (script) => {
    const facts = factsOf(script)
    expect(hasUnknown(facts)).toBe(false)
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
    `export PATH="$(echo 'evil;id'):$PATH"; eval "$(pyenv init -)"`,
    'read -r x; export PATH="$x:$PATH"; eval "$(pyenv init -)"',
    'eval "$(~/work/bin/mise activate bash)"',
    'source "$(conda info --envs)/x.sh"',
    `CONDA_ROOT='$(id)'; source "$(conda info --base)/etc/profile.d/conda.sh"`,
    `read -r PYENV_ROOT; eval "$(pyenv init -)"`,
    `cd '$(id)' && eval "$(direnv hook bash)"`,
    'eval "$(direnv export bash)"',
    'eval "$(cat settings)"',
  ])('eval of shell settings that the line changes is unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it.each([
    'pyenv() { echo "rm -rf /"; }; eval "$(pyenv init -)"',
    'mkdir b; echo "echo rm -rf /" > b/pyenv; chmod +x b/pyenv; PATH=b:$PATH; eval "$(pyenv init -)"',
    'python3 -m venv v; echo "rm -rf /" >> v/bin/activate; . v/bin/activate',
  ])("eval of a script's own replacement is analysed: %s", (script) => {
    expect(lines(factsOf(script)).some((line) => line.endsWith('rm -rf /'))).toBe(true)
  })
})

describe('programs found through another program', () => {
  it.each([
    ['$(npm bin)/tsc --noEmit', '/w/node_modules/.bin/tsc'],
    ['"$(npm root)/.bin/jest"', '/w/node_modules/.bin/jest'],
    ['$(go env GOPATH)/bin/golangci-lint run', '/home/u/go/bin/golangci-lint'],
  ])('a program in a directory printed by a package manager is recognised: %s', (script, program) => {
    const facts = factsOf(script)
    expect(hasUnknown(facts)).toBe(false)
    expect(facts.invocations.map(({ argv }) => argv[0])).toContain(program)
  })
})

describe('programs and scripts made by the same line', () => {
  it.each([
    'gcc -O2 -o hello hello.c && ./hello',
    "cat > m.c <<'E'\nint main(){}\nE\ncc m.c -o m && ./m",
    'go build -o app . && ./app --help',
    'rustc -o x x.rs && ./x',
    'python3 -m venv .venv && source .venv/bin/activate && pip install -r requirements.txt',
    'uv venv && . .venv/bin/activate',
    'bash -n scripts/deploy.sh',
  ])('running a program that the same line builds is not unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
  })

  it.each([
    'echo "rm -rf /" > a.c; gcc -E -P a.c -o x; chmod +x x; ./x',
    'gcc -wrapper ./evil -o x a.c; ./x',
    'bash -n -c "$(cat x)"',
  ])('running a file that only looks like a built program is unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it.each(['python3 -m venv --help v; . w/bin/activate', 'bash -n +n x.sh', 'bash -n -i x.sh'])(
    'an activate script is foreign until it is read: %s',
    (script) => {
      expect(factsOf(script).opaque.some(({ inherent }) => !inherent)).toBe(true)
    },
  )

  it('an activate script that was there before is analysed', () => {
    const answers = noAnswers()
    answers.scripts.set('/w/v/bin/activate', 'rm -rf /')
    expect(
      lines(factsOf('python3 -m venv v; . v/bin/activate', answers)).some((line) => line.endsWith('rm -rf /')),
    ).toBe(true)
  })
})
