/** The first word that is not an option: `build` of `cargo --quiet build`. */
export const subcommand = (args: readonly string[]): string => args.find((arg) => !/^[-+]/.test(arg)) ?? ''

const LAUNCHERS = new Set(['npx', 'pnpx', 'bunx', 'uvx', 'pipx'])
const RUNS: Readonly<Record<string, string>> = {
  uv: 'run',
  poetry: 'run',
  pdm: 'run',
  bundle: 'exec',
  pnpm: 'exec',
  yarn: 'run',
}

/** The program that prints, where another one only finds and starts it: `eslint .` of `npx eslint .`. */
export function launched(argv: readonly string[]): readonly string[] {
  const [program = '', ...args] = argv
  const first = args.findIndex((arg) => !arg.startsWith('-'))
  if (first === -1) return argv
  if (LAUNCHERS.has(program)) return args.slice(first)
  if (RUNS[program] === args[first] && args.length > first + 1) return args.slice(first + 1)
  const module = /^python[\d.]*$/.test(program) && args[0] === '-m'
  return module ? args.slice(1) : argv
}
