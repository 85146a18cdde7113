/** What stands on the command line of a program that reads it as GNU programs do. */
export interface GnuOptions {
  readonly flags: ReadonlySet<string>
  readonly values: ReadonlyMap<string, string>
  readonly operands: readonly string[]
}

/**
 * Reads options of a program that knows just those in `known`: `'d/decode i/ignore-garbage w/wrap='`. They are reported by the name that
 * comes first. Bundles, attached values, abbreviations and `--` are understood. Null for anything else.
 */
export function gnuOptions(args: readonly string[], known: string): GnuOptions | null {
  const names = known.split(' ').map((entry) => {
    const [short = '', long = ''] = entry.replace('=', '').split('/')
    return { short, long, valued: entry.endsWith('='), name: short || long }
  })
  const flags = new Set<string>()
  const values = new Map<string, string>()
  const operands: string[] = []
  let i = 0
  const take = (option: (typeof names)[number] | undefined, attached: string | undefined): boolean => {
    const value = option?.valued ? (attached ?? args[++i]) : attached
    if (!option || option.valued === (value === undefined)) return false
    if (value === undefined) flags.add(option.name)
    else values.set(option.name, value)
    return true
  }
  for (; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '--') return { flags, values, operands: [...operands, ...args.slice(i + 1)] }
    if (arg === '-' || !arg.startsWith('-')) operands.push(arg)
    else if (arg.startsWith('--')) {
      const [, word = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
      const exact = names.filter(({ long }) => long === word)
      const fitting = exact.length > 0 ? exact : names.filter(({ long }) => word !== '' && long.startsWith(word))
      if (fitting.length !== 1 || !take(fitting[0], value)) return null
    } else {
      for (let j = 1; j < arg.length; j++) {
        const option = names.find(({ short }) => short === arg[j])
        if (!take(option, option?.valued && j + 1 < arg.length ? arg.slice(j + 1) : undefined)) return null
        if (option?.valued) break
      }
    }
  }
  return { flags, values, operands }
}
