/** Programs that run other commands. A rule that allows one by its name or first words allows everything. */
const list = (text: string): readonly string[] => text.split(' ')

const SHELLS = list('bash sh dash zsh fish ksh csh tcsh ash rbash pwsh busybox toybox')
const WRAPPERS = list(
  'env xargs find fd parallel nice nohup timeout time stdbuf setsid watch flock script unshare chroot nsenter setpriv ionice taskset chrt strace ltrace gdb entr command builtin exec eval source . trap coproc expect',
)
const PRIVILEGE = list('sudo doas su pkexec run0 runuser')
const REMOTE = list('ssh mosh docker podman nerdctl kubectl')
const INTERPRETERS = list(
  'python python2 python3 perl ruby node nodejs deno bun php lua luajit Rscript awk gawk mawk nawk tclsh java jshell ghci irb osascript make npx uvx pipx bunx nix-shell tmux screen',
)

/** They only pass on: what they run is named on its own, so they need no rule in their favour. */
export const PASSES_ON: ReadonlySet<string> = new Set([...SHELLS, ...WRAPPERS, ...PRIVILEGE])

/** Too much to allow by name alone. */
export const OVER_BROAD: ReadonlySet<string> = new Set([...PASSES_ON, ...REMOTE, ...INTERPRETERS])

/** Options after which the next words are code or settings that run code: `git -c`, `python -c`, `npm exec`. */
const RUNS_NEXT: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', new Set(['-c', '-C', '--exec-path', '--config-env'])],
  ['npm', new Set(['exec', 'x'])],
  ['pnpm', new Set(['dlx', 'exec'])],
  ['yarn', new Set(['dlx', 'exec'])],
  ['cargo', new Set(['--config'])],
  ['go', new Set(['run'])],
  ['bun', new Set(['x'])],
  ['nix', new Set(['run', 'shell', 'develop'])],
  ['docker', new Set(['run', 'exec'])],
  ['podman', new Set(['run', 'exec'])],
  ['kubectl', new Set(['exec', 'run'])],
  ...['uv', 'poetry', 'pipenv', 'pdm', 'hatch', 'rye', 'pixi', 'conda', 'mise'].map(
    (name) => [name, new Set(['run', 'exec'])] as const,
  ),
  ['bundle', new Set(['exec'])],
])

/** Do these first words, with anything after them, grant everything? */
export function isOverBroad(program: string, args: readonly string[]): boolean {
  const [first] = args
  if (PASSES_ON.has(program)) return true
  if (OVER_BROAD.has(program) && (first === undefined || first.startsWith('-'))) return true
  return args.length === 1 && first !== undefined && RUNS_NEXT.get(program)?.has(first) === true
}
