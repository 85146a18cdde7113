import type { Arg } from '../grammar/roles.js'

const INIT = /^(?:init|virtualenv-init)(?: (?:-|--path|--no-rehash|bash))*$/
const COMPLETION = /^completions?(?: (?:-s|--shell|bash))*$/
const HOOKS: ReadonlyMap<string, RegExp> = new Map([
  ...['pyenv', 'rbenv', 'nodenv', 'goenv', 'jenv', 'plenv', 'phpenv'].map((name) => [name, INIT] as const),
  ...['zoxide', 'starship', 'atuin', 'mcfly'].map((name) => [name, /^init bash$/] as const),
  ...['kubectl', 'helm', 'gh', 'npm', 'rustup', 'deno', 'kind', 'k3d', 'oc', 'docker', 'op'].map(
    (name) => [name, COMPLETION] as const,
  ),
  ['ssh-agent', /^(?:-s)?$/],
  ['direnv', /^hook bash$/],
  ['poetry', /^(?:completions? bash|env activate(?: bash)?)$/],
  ['fnm', /^env(?: --(?:use-on-cd|shell|shell=bash|corepack-enabled|resolve-engines)| bash)*$/],
  ['brew', /^shellenv(?: bash)?$/],
  ['conda', /^shell\.bash hook$/],
  ['mamba', /^shell hook(?: --shell| bash)*$/],
  ['micromamba', /^shell hook(?: -s| --shell| bash)*$/],
  ['mise', /^activate(?: bash)?$/],
  ['rtx', /^activate(?: bash)?$/],
  ['opam', /^env(?: --(?:switch=[\w.-]+|set-switch))*$/],
  ['minikube', /^(?:(?:docker|podman)-env(?: --shell(?: |=)bash| -u| --unset)*|completion bash)$/],
  ['docker-machine', /^env(?: --shell(?: |=)bash| [\w.-]+)*$/],
  ['dircolors', /^-b$/],
  ['luarocks', /^path(?: --bin)?$/],
  ['lesspipe', /^$/],
])

/** No directory, or one into which package managers install. */
const INSTALLED =
  /^(?:\/(?:opt|usr|home\/linuxbrew)\/(?:[\w.-]+\/)*bin\/|\/(?:home\/[\w-]+|root|Users\/[\w-]+)\/\.(?:[\w-]+\/)+bin\/)?$/

/** Tells whether a program of this name can print shell settings. */
export const mayPrintSettings = (program: string): boolean => HOOKS.has(program)

/** Tells whether the program prints shell settings for `eval` that its arguments do not change. */
export function printsShellSettings(program: string, argv: readonly Arg[]): boolean {
  const hook = HOOKS.get(program)
  if (!hook || !INSTALLED.test((argv[0]?.text ?? '').slice(0, -program.length))) return false
  return (
    argv.every((arg) => arg.text !== null) &&
    hook.test(
      argv
        .slice(1)
        .map((arg) => arg.text)
        .join(' '),
    )
  )
}
