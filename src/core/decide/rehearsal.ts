import type { Invocation } from '../model/facts.js'

/** Programs whose `--dry-run` does nothing, and whose arguments are all their own: what ssh passes on may be anything. */
const REHEARSES = new Set('git npm pnpm yarn cargo kubectl oc helm aws poetry uv gem docker podman'.split(' '))
const DRY = /^(?:--dry-run(?:=(?:client|server|true))?|--dryrun)$/
/** Programs that ask whatever they do, and a way to call them that only lists. */
const LISTS: ReadonlyMap<string, RegExp> = new Map([
  ['crontab', /^-l$/],
  ['at', /^-l$/],
  ['umount', /^-[hV]$/],
  ['swapon', /^(?:-s|--show|--summary)$/],
  ['depmod', /^(?:-n|--dry-run|--show)$/],
])
const ABOUT_ITSELF = /^(?:--help|--version|-h|-V|help|version)$/

/**
 * Does the command only show what it would do, or only tell about itself? The option counts where it cannot be the value of another
 * one: `git push -o --dry-run` pushes.
 */
export function isRehearsal({ program, argv }: Invocation): boolean {
  const [, only] = argv
  if (
    argv.length === 2 &&
    typeof only === 'string' &&
    (ABOUT_ITSELF.test(only) || LISTS.get(program ?? '')?.test(only))
  )
    return true
  if (program === null || !REHEARSES.has(program)) return false
  return argv.some((argument, i) => {
    const before = argv[i - 1]
    return (
      i > 1 &&
      typeof argument === 'string' &&
      DRY.test(argument) &&
      typeof before === 'string' &&
      !before.startsWith('-')
    )
  })
}
