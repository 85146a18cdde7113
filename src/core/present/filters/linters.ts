import { detail, type Filter, progress, proposeBy } from './filter.js'
import { launched, subcommand } from './subcommand.js'

const LINTERS = new Set([
  ...['eslint', 'biome', 'oxlint', 'prettier', 'dprint', 'stylelint', 'standard', 'xo', 'tslint', 'markdownlint'],
  ...['ruff', 'flake8', 'pylint', 'black', 'isort', 'mypy', 'pyright', 'basedpyright', 'bandit', 'pre-commit'],
  ...['golangci-lint', 'staticcheck', 'rubocop', 'shellcheck', 'hadolint', 'yamllint', 'ktlint', 'swiftlint', 'phpcs'],
])
const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  cargo: ['clippy', 'fmt'],
  go: ['vet', 'fmt'],
  deno: ['lint', 'fmt'],
}

const CLEAN = detail('files without a finding')

const propose = proposeBy([
  [/^\S.*\.{3,}(?:Passed|\(no files to check\)Skipped)$/, detail('passed checks')],
  [/^\S.* \d+(?:\.\d+)?m?s \(unchanged\)$/, CLEAN],
  [/^\S+ (?:already well formatted|wasn't modified on disk|is already formatted)/, CLEAN],
  [/^(?:Linting|Inspecting|Processing|Checking|Analyzing) '?\S+'? \(\d+\/\d+\)$/, progress('files looked at')],
  [/^\s+(?:Checking|Compiling|Fresh) \S+ v\d/, progress('build progress')],
  [/^[.C]{20,}$/, CLEAN],
])

export const linters: Filter = {
  name: 'linter',
  matches: (argv) => {
    const [program = '', ...args] = launched(argv)
    return LINTERS.has(program) || (SUBCOMMANDS[program]?.includes(subcommand(args)) ?? false)
  },
  propose: (lines) => lines.map(propose),
  recognises: (lines) =>
    lines.some((line) =>
      /^(?:All checks passed!|Checked \d+ files? in |Success: no issues found|All done!|All matched files use |✔ No |\d+ files? (?:inspected|left unchanged|already formatted)|\s+Finished )/.test(
        line,
      ),
    ),
}
