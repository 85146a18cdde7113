import type { Invocation } from '../../model/run/facts.js'
import { subcommandPositions } from '../match/subcommand-words.js'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs whose `--dry-run` does nothing. */
const SUPPORTS_DRY_RUN = names(
  `git npm pnpm yarn bun cargo kubectl oc helm aws poetry uv gem docker podman docker-compose deno jsr dart flutter wrangler
  semantic-release release-it lerna`,
)
const DRY = /^(?:--dry-run(?:=(?:client|server|true))?|--dryrun)$/
/** Options that cancel a dry run, in any position. */
const CANCELS_DRY_RUN = /^--(?:no-dr[a-z-]*|dr[a-z-]*=(?:false|none|no|off|0))$/i
/** Programs that read the word after a flag as its value. */
const TAKES_NEXT = names('npm pnpm yarn lerna release-it')
/** Programs that have other words for it. */
const DRY_RUN_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['ansible', /^--(?:list-hosts|syntax-check|check)$/],
  ['ansible-playbook', /^--(?:list-(?:hosts|tasks|tags)|syntax-check|check)$/],
  ['goreleaser', /^--(?:snapshot|skip[=-]publish)$/],
  ['np', /^--preview$/],
  ['make', /^(?:-n|--dry-run|--just-print|--recon|-q|--question)$/],
  ['gmake', /^(?:-n|--dry-run|--just-print|--recon|-q|--question)$/],
  ['just', /^(?:-n|--dry-run)$/],
  ['task', /^(?:-n|--dry|--list|--summary)$/],
  ['rake', /^(?:-n|--dry-run|-T|--tasks|-P)$/],
  ['gradle', /^(?:-m|--dry-run)$/],
  ['gradlew', /^(?:-m|--dry-run)$/],
  ['restic', /^(?:-n|--dry-run)$/],
  ['borg', /^(?:-n|--dry-run)$/],
  ['rclone', /^(?:-n|--dry-run)$/],
  ['mkinitcpio', /^(?:-[HLM]|--hookhelp|--listhooks|--automods)$/],
  ['apparmor_parser', /^(?:-[QNp]|--skip-kernel-load|--names|--preprocess)$/],
])
/** Subcommands that have a letter for it. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['git', 'push'],
  ['cargo', 'publish'],
])
/** Programs without subcommands. The option may be the first argument. */
const WHOLE = names(
  'semantic-release release-it ansible ansible-playbook np mkinitcpio apparmor_parser make gmake just task rake gradle gradlew restic borg rclone',
)
/** Flags without a value in all of these programs. */
const BARE = names(
  `--allow-dirty --no-verify --locked --tags --follow-tags --provenance --no-git-checks --server-side --wait --atomic --install
  --recursive --yes --no-interaction --all --delete --force`,
)
/** Subcommands whose later arguments belong to another program: `docker run image --dry-run`. */
const PASSES_ON: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['docker', 'podman', 'docker-compose'].map((name) => [name, names('run exec create')] as const),
  ...['kubectl', 'oc'].map((name) => [name, names('exec debug rsh')] as const),
  ...['npm', 'pnpm', 'yarn', 'bun', 'lerna'].map((name) => [name, names('run run-script exec x dlx')] as const),
])

/** Programs that always ask, with the option that only lists. */
const LISTS: ReadonlyMap<string, RegExp> = new Map([
  ['crontab', /^-l$/],
  ['at', /^-l$/],
  ['umount', /^-[hV]$/],
  ['swapon', /^(?:-s|--show|--summary)$/],
  ['depmod', /^(?:-n|--dry-run|--show)$/],
])
const ABOUT_ITSELF = /^(?:--help|--version|-h|-V|help|version)$/

/** Programs that show the help of a subcommand with `--help` after it or `help` before it. */
const HELPS = names(
  `git hg svn kubectl oc helm docker podman nerdctl buildah skopeo npm pnpm yarn bun deno jsr cargo poetry uv flit hatch pdm twine gem
  dotnet lerna changeset vsce ovsx mvn gradle terraform tofu terragrunt pulumi cdk serverless sls sam aws gcloud gsutil az doctl hcloud
  linode-cli eksctl flyctl fly heroku vercel netlify wrangler firebase eb argocd flux velero railway supabase eas amplify gh glab hub
  goreleaser fastlane nomad consul vault rclone systemctl prisma`,
)
const HELP = /^(?:--help|-h|-help)$/

/** Reports whether every argument up to `end` belongs to the program itself: none is forwarded or follows `--`. */
function isOwn({ program, argv }: Invocation, end: number): boolean {
  const passesOn = PASSES_ON.get(program ?? '')
  for (let i = 1; i < end; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string' || argument === '--' || passesOn?.has(argument)) return false
  }
  return true
}

/**
 * Reports whether a command only shows help: `git push --help`, `aws s3 rm help`, `npm help publish`. Only subcommands
 * may accompany the option.
 */
function asksForHelp(part: Invocation): boolean {
  const { program, argv } = part
  if (!HELPS.has(program ?? '') || argv.length < 3) return false
  if (argv[1] === 'help') return true
  const last = argv.length - 1
  const word = argv[last]
  if (typeof word !== 'string' || !(HELP.test(word) || (program === 'aws' && word === 'help'))) return false
  if (!isOwn(part, last - 1) || typeof argv[last - 1] !== 'string') return false
  const positions = subcommandPositions(part)
  const subcommands = positions === null ? 1 : positions.filter((position) => position < last).length
  return subcommands === last - 1 && !String(argv[1]).startsWith('-')
}

const isCancelled = ({ program, argv }: Invocation): boolean =>
  argv.some(
    (one, i) =>
      typeof one === 'string' &&
      (CANCELS_DRY_RUN.test(one) ||
        (/^--dr/.test(one) && TAKES_NEXT.has(program ?? '') && /^(?:false|null)$/.test(String(argv[i + 1])))),
  )

/** The option counts where it cannot be the value of another one, and is not for another program. */
function isDry(part: Invocation, index: number): boolean {
  const argument = part.argv[index]
  const before = part.argv[index - 1]
  const program = part.program ?? ''
  const option = DRY_RUN_OPTIONS.get(program) ?? DRY
  if (argument === '-n' && typeof before === 'string' && SHORT.get(program) === before) return isOwn(part, index)
  if (typeof argument !== 'string' || !option.test(argument) || typeof before !== 'string') return false
  if (index < (WHOLE.has(program) ? 1 : 2)) return false
  return (!before.startsWith('-') || before.includes('=') || BARE.has(before)) && isOwn(part, index)
}

/**
 * Reports whether the command is a dry run or shows help or its version. An option that can be the value of another one
 * does not count: `git push -o --dry-run` pushes.
 */
export function isDryRun(part: Invocation): boolean {
  const { program, argv } = part
  const [, only] = argv
  if (
    argv.length === 2 &&
    typeof only === 'string' &&
    (ABOUT_ITSELF.test(only) || LISTS.get(program ?? '')?.test(only))
  )
    return true
  if (asksForHelp(part)) return true
  if (program === null || !(SUPPORTS_DRY_RUN.has(program) || DRY_RUN_OPTIONS.has(program))) return false
  return argv.some((_, i) => isDry(part, i)) && !isCancelled(part)
}
