import type { Grammar } from '../grammar/roles.js'
import { packageProgram } from './package-bins.js'
import { commandAfter } from './package-effects.js'

export const SCRIPTS: Grammar = { foreign: 'scripts of packages', unlisted: 'ignore' }
export const PLAIN: Grammar = { unlisted: 'ignore' }
export const ASKS: Grammar = { writesOnlyNamedPaths: true }
/** `npm exec`, `pnpm dlx`: runs a package's program, or another one in PATH. */
export const EXECUTES: Grammar = {
  flags:
    '-y --yes -n --no --no-install --prefer-offline --offline -q --quiet -s --silent -h --help -v --version --ignore-existing --include-workspace-root --workspaces -r --recursive --parallel --no-bail --workspace-root --bun -b --verbose',
  values: {
    '-p --package -w --workspace -C --dir --filter -F --cache --userconfig --registry --loglevel --prefix --cwd':
      'text',
    '-c --call': 'shell',
    '--shell --script-shell': 'program',
  },
  operands: ['command'],
  foreign: 'a program from a package',
  unlisted: 'foreign',
  effects: packageProgram,
}
/** `uv run`, `poetry run`: the remaining words are a command. */
export const RUNS: Grammar = {
  flags:
    '-q --quiet -v --verbose -n --no-interaction --no-cache --no-sync --frozen --locked --isolated --all-extras --no-dev --dev --no-project --offline --refresh -s --system --no-capture-output --live-stream -h --help --no-plugins --no-ansi --no-build --all-groups --exact --no-editable --upgrade',
  values: {
    '-p --python -e --env --spec -w --with --with-editable --extra --group --only-group -n --name --from --package --project --prefix --index -C --directory --index-url --toolchain':
      'text',
    '--with-requirements --env-file': 'read',
  },
  operands: ['command'],
  foreign: 'a program from a package',
  unlisted: 'foreign',
}

export const CHOOSES: Grammar = {
  flags: '-h --help -v --version',
  values: { '-f --file': 'read', '-C --cd': 'cwd' },
}
export const SHIMS: Grammar = { foreign: 'shims and settings of the project' }
/** The command after `--`, or after `skipped` other words. */
export const runsAfter = (skipped: number): Grammar => ({
  permute: false,
  foreign: 'a version or environment that it selects',
  unlisted: 'ignore',
  effects: (call) => commandAfter(call, skipped),
})
