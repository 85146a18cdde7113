import type { Grammar } from './knowledge.js'
import { packageProgram } from './package-bins.js'
import { commandAfter } from './package-hooks.js'

export const SCRIPTS: Grammar = { foreign: 'scripts of packages', unlisted: 'ignore' }
export const PLAIN: Grammar = { unlisted: 'ignore' }
export const ASKS: Grammar = { unlisted: 'ignore', contained: true }
/** `npm exec`, `pnpm dlx`: a package's own program, or any other on the path. */
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
  foreign: 'a program out of a package',
  unlisted: 'foreign',
  hook: packageProgram,
}
/** `uv run`, `poetry run`: the rest is a command line. */
export const RUNS: Grammar = {
  flags:
    '-q --quiet -v --verbose -n --no-interaction --no-cache --no-sync --frozen --locked --isolated --all-extras --no-dev --dev --no-project --offline --refresh -s --system --no-capture-output --live-stream -h --help --no-plugins --no-ansi --no-build --all-groups --exact --no-editable --upgrade',
  values: {
    '-p --python -e --env --spec -w --with --with-editable --extra --group --only-group -n --name --from --package --project --prefix --index -C --directory --index-url --toolchain':
      'text',
    '--with-requirements --env-file': 'read',
  },
  operands: ['command'],
  foreign: 'a program out of a package',
  unlisted: 'foreign',
}

export const CHOOSES: Grammar = {
  flags: '-h --help -v --version',
  values: { '-f --file': 'read', '-C --cd': 'cwd' },
  unlisted: 'ignore',
}
export const SHIMS: Grammar = { foreign: 'shims and settings of the project', unlisted: 'ignore' }
/** The command after `--`, or after `skipped` words of another kind. */
export const runsAfter = (skipped: number): Grammar => ({
  permute: false,
  foreign: 'a version or an environment it chooses',
  unlisted: 'ignore',
  hook: (call) => commandAfter(call, skipped),
})
