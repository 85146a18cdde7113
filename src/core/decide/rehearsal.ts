import type { Invocation } from '../model/facts.js'
import { subcommandPlaces } from './leading-words.js'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Programs whose `--dry-run` does nothing. */
const REHEARSES = names(
  `git npm pnpm yarn bun cargo kubectl oc helm aws poetry uv gem docker podman docker-compose deno jsr dart flutter wrangler
  semantic-release release-it lerna`,
)
const DRY = /^(?:--dry-run(?:=(?:client|server|true))?|--dryrun)$/
/** The same taken back, which counts wherever it stands: it may be the last word. */
const FOR_REAL = /^--(?:no-dr[a-z-]*|dr[a-z-]*=(?:false|none|no|off|0))$/i
/** Programs that take a word behind an option without a value for its value. */
const TAKES_NEXT = names('npm pnpm yarn lerna release-it')
/** Programs that have other words for it. */
const OTHERWISE: ReadonlyMap<string, RegExp> = new Map([
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
/** Programs without subcommands: the option may stand first. */
const WHOLE = names(
  'semantic-release release-it ansible ansible-playbook np mkinitcpio apparmor_parser make gmake just task rake gradle gradlew restic borg rclone',
)
/** Options that take no value in any of those programs: what follows them stands for itself. */
const BARE = names(
  `--allow-dirty --no-verify --locked --tags --follow-tags --provenance --no-git-checks --server-side --wait --atomic --install
  --recursive --yes --no-interaction --all --delete --force`,
)
/** Behind these words stands what is for another program: `docker run image --dry-run`. */
const PASSES_ON: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['docker', 'podman', 'docker-compose'].map((name) => [name, names('run exec create')] as const),
  ...['kubectl', 'oc'].map((name) => [name, names('exec debug rsh')] as const),
  ...['npm', 'pnpm', 'yarn', 'bun', 'lerna'].map((name) => [name, names('run run-script exec x dlx')] as const),
])

/** Programs that ask whatever they do, and a way to call them that only lists. */
const LISTS: ReadonlyMap<string, RegExp> = new Map([
  ['crontab', /^-l$/],
  ['at', /^-l$/],
  ['umount', /^-[hV]$/],
  ['swapon', /^(?:-s|--show|--summary)$/],
  ['depmod', /^(?:-n|--dry-run|--show)$/],
])
const ABOUT_ITSELF = /^(?:--help|--version|-h|-V|help|version)$/

/** Programs that tell about a subcommand when asked behind it, or by `help` before it. */
const HELPS = names(
  `git hg svn kubectl oc helm docker podman nerdctl buildah skopeo npm pnpm yarn bun deno jsr cargo poetry uv flit hatch pdm twine gem
  dotnet lerna changeset vsce ovsx mvn gradle terraform tofu terragrunt pulumi cdk serverless sls sam aws gcloud gsutil az doctl hcloud
  linode-cli eksctl flyctl fly heroku vercel netlify wrangler firebase eb argocd flux velero railway supabase eas amplify gh glab hub
  goreleaser fastlane nomad consul vault rclone systemctl prisma`,
)
const HELP = /^(?:--help|-h|-help)$/

/** Does every argument up to `end` belong to the program itself, so that nothing of it is passed on or stands behind `--`? */
function isOwn({ program, argv }: Invocation, end: number): boolean {
  const passesOn = PASSES_ON.get(program ?? '')
  for (let i = 1; i < end; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string' || argument === '--' || passesOn?.has(argument)) return false
  }
  return true
}

/** `git push --help`, `aws s3 rm help`, `npm help publish`: nothing but subcommands stands beside it. */
function asksForHelp(part: Invocation): boolean {
  const { program, argv } = part
  if (!HELPS.has(program ?? '') || argv.length < 3) return false
  if (argv[1] === 'help') return true
  const last = argv.length - 1
  const word = argv[last]
  if (typeof word !== 'string' || !(HELP.test(word) || (program === 'aws' && word === 'help'))) return false
  if (!isOwn(part, last - 1) || typeof argv[last - 1] !== 'string') return false
  const places = subcommandPlaces(part)
  const subcommands = places === null ? 1 : places.filter((place) => place < last).length
  return subcommands === last - 1 && !String(argv[1]).startsWith('-')
}

const isTakenBack = ({ program, argv }: Invocation): boolean =>
  argv.some(
    (one, i) =>
      typeof one === 'string' &&
      (FOR_REAL.test(one) ||
        (/^--dr/.test(one) && TAKES_NEXT.has(program ?? '') && /^(?:false|null)$/.test(String(argv[i + 1])))),
  )

/** The option counts where it cannot be the value of another one, and is not for another program. */
function isDry(part: Invocation, index: number): boolean {
  const argument = part.argv[index]
  const before = part.argv[index - 1]
  const program = part.program ?? ''
  const option = OTHERWISE.get(program) ?? DRY
  if (argument === '-n' && typeof before === 'string' && SHORT.get(program) === before) return isOwn(part, index)
  if (typeof argument !== 'string' || !option.test(argument) || typeof before !== 'string') return false
  if (index < (WHOLE.has(program) ? 1 : 2)) return false
  return (!before.startsWith('-') || before.includes('=') || BARE.has(before)) && isOwn(part, index)
}

/**
 * Does the command only show what it would do, or only tell about itself? The option counts where it cannot be the value of another
 * one: `git push -o --dry-run` pushes.
 */
export function isRehearsal(part: Invocation): boolean {
  const { program, argv } = part
  const [, only] = argv
  if (
    argv.length === 2 &&
    typeof only === 'string' &&
    (ABOUT_ITSELF.test(only) || LISTS.get(program ?? '')?.test(only))
  )
    return true
  if (asksForHelp(part)) return true
  if (program === null || !(REHEARSES.has(program) || OTHERWISE.has(program))) return false
  return argv.some((_, i) => isDry(part, i)) && !isTakenBack(part)
}
