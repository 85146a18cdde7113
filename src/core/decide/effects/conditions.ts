import type { Span } from '../../model/basics/span.js'
import type { Rule } from '../../model/policy/profile.js'
import type { Invocation } from '../../model/run/facts.js'
import { pushesInside } from '../match/git-remotes.js'
import type { DecideInput } from '../match/input.js'
import { isOwnEngine, isOwnLoopback, namesOnlyLocalHosts } from '../match/local-host.js'
import { sendsAway } from './sends-data.js'
import {
  changesCache,
  changesDatabase,
  changesDocuments,
  changesEveryRow,
  clearsLocalData,
  emptiesLocalTables,
  restoresRemotely,
} from './sql-statements.js'

type Condition = (part: Invocation, input: DecideInput) => boolean

const has = ({ argv }: Invocation, pattern: RegExp): boolean =>
  argv.some((argument) => typeof argument === 'string' && pattern.test(argument))

/** `git rm -rf .`, but not where only the index changes. */
const removesTracked = (part: Invocation): boolean =>
  has(part, /^(?:--force|-[a-z]*f[a-z]*)$/) && has(part, /^(?:\.\/?|:\/)$/) && !has(part, /^--cached$/)

/** Commands of a cloud program that change only its local settings or a local emulator. */
const OWN_SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  ['aws', /^(?:configure|help)$/],
  ['gcloud', /^(?:config|components|emulators|init|info|topic|auth)$/],
  ['az', /^(?:account|config|configure|extension|cloud|bicep|login|logout|version|upgrade)$/],
  ['doctl', /^(?:auth|version)$/],
  ['sam', /^(?:local|build|validate|init|logs)$/],
  ['firebase', /^emulators:/],
  ['argocd', /^(?:login|logout|context|relogin)$/],
])

/** Reports whether a command changes a remote account. */
function reachesAccount(part: Invocation): boolean {
  const [, first] = part.argv
  if (typeof first === 'string' && OWN_SETTINGS.get(part.program ?? '')?.test(first)) return false
  if (has(part, /^deployments?$/) && has(part, /^(?:list|ls|view|status|show|what-if|validate)$/)) return false
  if (part.program === 'wrangler' || part.program === 'supabase') return !has(part, /^--local$/)
  if (part.program === 'aws') return !namesOnlyLocalHosts(part, /^--endpoint-url(?:=|$)/)
  return part.program !== 'flux' || !has(part, /^--export$/)
}

/** Reports whether `hub` changes the forge. `hub issue` lists, `hub release show` shows, `hub api` reads by default. */
function changesForge(part: Invocation): boolean {
  if (has(part, /^api$/)) return has(part, /^(?:-X|--method|-[fF]|--field|--raw-field|--input)/)
  return !has(part, /^(?:release|issue|gist)$/) || has(part, /^(?:create|edit|update|delete|transfer)$/)
}

/** `gh api graphql -f query='query { … }'` asks; a mutation changes. */
const isGraphQuery = (part: Invocation): boolean =>
  has(part, /^graphql$/) &&
  has(part, /^query=/) &&
  !has(part, /mutation|^query=@/) &&
  !has(part, /^(?:-X|--method|--input)/)

/** `heroku config` prints all of them; other programs have settings by that name. */
const showsSecret: Condition = (part) =>
  (part.program === 'heroku' || !has(part, /^config$/)) &&
  (!/^(?:vercel|vc)$/.test(part.program ?? '') || has(part, /^env$/))

/** `pnpm deploy --filter app out` copies a package to a directory. */
const isNoCopy: Condition = (part) =>
  !(part.program === 'pnpm' && has(part, /^deploy$/) && has(part, /^(?:--filter(?:=.*)?|-F)$/))

/** Reports whether a deploy script runs without a dry-run option. */
const isNoDryRun: Condition = (part) => !has(part, /^(?:--dry-run|--dryrun|--check|--help|--plan|--diff|-n)$/)

/** A shell script that was read is judged by its commands, and by its name only where one of them is not known. */
const isUnread: Condition = (part, { facts }) =>
  !facts.invocations.some(({ via }) => via.at(-1) === part.argv[0]) ||
  facts.opaque.some(({ inherent, span }) => !inherent && isWithin(span, part.span))

const OWN_REF = /^refs\/(?!heads\/(?:main|master|trunk)$|stash$)[\w.-]+\/[\w./@+-]+$/

/** `git update-ref -d refs/heads/done`: as `git branch -D done`, which every ref on the line must be like. */
function removesOwnRef({ argv }: Invocation): boolean {
  const at = argv.indexOf('update-ref')
  const [ref] = argv.slice(at + 1).filter((word) => typeof word !== 'string' || !word.startsWith('-'))
  return typeof ref === 'string' && OWN_REF.test(ref)
}

/** A branch of one's own is removed every day; the one that all others start from is not. */
const losesHistory: Condition = (part) =>
  has(part, /^(?:gc|prune)$/) ||
  (has(part, /^update-ref$/) && !removesOwnRef(part)) ||
  (has(part, /^stash$/) && has(part, /^clear$/)) ||
  (has(part, /^branch$/) && has(part, /^(?:main|master|trunk)$/) && !has(part, /^-[rm]|^--(?:remotes|move)$/))

/** `diff` and `update` send by some of these tools, and look by others. */
const sendsChanges: Condition = (part) =>
  part.program === 'spr' || !(part.argv[1] === 'diff' || part.argv[1] === 'update')

/** Only the history of the project itself: a template that was fetched loses its own every day. */
const isProjectHistory: Condition = (_, { facts, surroundings: { workspace } }) =>
  facts.deletes.some(({ path }) => path.replace(/\/$/, '') === `${workspace}/.git`)

const GROUP_BIT = /^(?:0?2[0-7]{3}|g\+[rwxX]*s[rwxX]*)$/

/** `chmod g+s dir`: new files in a directory get its group. A program would run with it. */
function makesSetuid(part: Invocation, { facts, answers }: DecideInput): boolean {
  const [program, ...args] = part.argv
  if (program !== 'chmod' || !args.some((arg) => typeof arg === 'string' && GROUP_BIT.test(arg))) return true
  if (args.some((arg) => typeof arg !== 'string' || /^-.*R|^-[rf-]/.test(arg))) return true
  const changed = facts.writes.filter(({ by, span }) => by === 'chmod' && isWithin(span, part.span))
  const isMade = (path: string): boolean => facts.writes.some((fact) => fact.by === 'mkdir' && fact.path === path)
  return !(
    changed.length > 0 &&
    changed.every(({ path, partial }) => !partial && (answers.paths.get(path)?.kind === 'directory' || isMade(path)))
  )
}

const isWithin = (inner: Span, around: Span): boolean => inner[0] >= around[0] && inner[1] <= around[1]

const isProduction: Condition = (part, { facts }) =>
  has(part, /^--env=prod(?:uction)?$/) ||
  facts.environment.some(({ name, value }) => /_ENV$/.test(name) && /^prod(?:uction)?$/.test(value ?? ''))

function isOtherEngine(part: Invocation): boolean {
  const { argv } = part
  return argv.some((argument, i) => {
    if (typeof argument !== 'string') return false
    const chosen = /^(?:--(?:context|connection)(?:=(.*))?|-c)$/.exec(argument)
    // After a subcommand, `-c` is another option.
    if (chosen === null || (argument === '-c' && i !== 1)) return false
    const name = chosen[1] ?? argv[i + 1]
    return typeof name !== 'string' || !isOwnEngine(name)
  })
}

const ENGINE_ADDRESS = /^(?:-H|--host(?:=|$)|--url(?:=|$))/
const isRemoteEngine: Condition = (part) =>
  isOtherEngine(part) ||
  (has(part, /^(?:-H=?|--host=|--url=)?(?:tcp|ssh):\/\//) && !namesOnlyLocalHosts(part, ENGINE_ADDRESS))

const TEST_STAGE = /^(?:test|testing|ci)$/
/** Reports whether the environment is not a test. Test databases are created for each run. */
const isNoTest: Condition = (part, { facts }) =>
  !facts.environment.some(
    ({ name, value }) => /^(?:RAILS|RACK|MIX|APP|NODE|HANAMI)_ENV$/.test(name) && TEST_STAGE.test(value ?? ''),
  ) && !has(part, /^--env=test(?:ing)?$/)

const QUEUE_ADDRESS =
  /^(?:--(?:bootstrap-server|broker-list|server|host|url|brokers)(?:=|$)|-[bHhsu](?![a-z]*$)|-[bHhsu]$|-X(?= *brokers))/
const sendsToQueue: Condition = (part) =>
  !(/^(?:kcat|kafkacat)$/.test(part.program ?? '') && !has(part, /^-P$/)) &&
  !(part.program === 'nats' && !has(part, /^(?:pub|publish|req|request)$/)) &&
  !(part.program === 'rabbitmqadmin' && !has(part, /^(?:publish|declare)$/)) &&
  !namesOnlyLocalHosts(part, QUEUE_ADDRESS) &&
  !has(part, /^192\.168\./)

/** `tailscale status` looks; so do `ngrok version` and `cloudflared tunnel list`. */
const LOOKS =
  /^(?:status|version|config|completion|help|list|ls|info|ip|ping|netcheck|whois|diagnostics|credits|update|--version|--help|-h|-v)$/
const opens: Condition = (part) => part.argv.length === 1 || !has(part, LOOKS)

/**
 * Reports whether an interpreter runs a script with such a name. Syntax checks do not run it. Unknown names do not
 * count.
 */
const runsScript: Condition = (part) =>
  has(part, /(?:deploy|publish)[\w-]*\.\w+$/) && !has(part, /^(?:-n|-m|--check|-c|--syntax-check)$/)

/** Settings of git that name what it runs, or where it takes that from. */
const RUNNING_SETTING =
  /^(?:-c|--co[a-z]*=)?(?:alias\.|core\.(?:hookspath|fsmonitor|sshcommand|gitproxy|pager|editor|askpass|alternaterefscommand|attributesfile|worktree)=|filter\.|diff\..+\.(?:command|textconv)=|diff\.external=|merge\..+\.driver=|include(?:if\..+)?\.|credential\.(?:.+\.)?helper=|gpg\.|init\.templatedir=|pager\.|sequence\.editor=|remote\..+\.(?:uploadpack|receivepack|vcs)=|url\.ext::|protocol\.(?:ext\.)?allow=)/i
/** Values with which they run nothing, or the same as without. */
const HARMLESS_SETTING = /=(?:|true|false|0|1|\/dev\/null|store|cache|cat|less|vim?|nano|ssh(?: -i ?[\w./~-]+)?)$/i

/** `git clone --template=DIRECTORY` brings hooks along; `git clone -c core.hooksPath=…` is a setting that stays. */
const addsHooks: Condition = ({ argv }) =>
  argv.some((argument, i) => {
    if (i < 2) return false
    if (typeof argument !== 'string')
      return /^--te/.test(argument.prefix ?? '') || RUNNING_SETTING.test(argument.prefix ?? '')
    if (/^--te/.test(argument)) return argument.includes('=') ? !argument.endsWith('=') : argv[i + 1] !== ''
    return RUNNING_SETTING.test(argument) && !HARMLESS_SETTING.test(argument)
  })

/** Reports whether a program connects beyond the loopback of the sandbox. */
const reachesAway: Condition = ({ program, span }, input) => {
  const named = input.facts.hosts.filter(
    (host) => host.by === program && host.span[0] >= span[0] && host.span[1] <= span[1],
  )
  return named.length === 0 || named.some(({ host }) => !isOwnLoopback(host, input))
}

/** `git push ../copy.git` in the workspace or in /tmp sends nothing to another machine. */
const pushesAway: Condition = (part, { facts, answers, cwd, profile, surroundings }) => {
  const roots = [...surroundings.roots, ...(profile.sandbox === 'required' ? ['/tmp'] : [])]
  return !(has(part, /^push$/) && pushesInside(part, { facts, answers, cwd, roots }))
}

/** Extra conditions of built-in questions, by rule id. */
const CONDITIONS: ReadonlyMap<string, Condition> = new Map([
  ['effect/cloud-change', reachesAccount],
  ['effect/cloud-operation', reachesAccount],
  ['effect/platform-change', reachesAccount],
  ['effect/orchestration-change', reachesAccount],
  ['effect/database-statement', (part) => reachesAccount(part) && !clearsLocalData(part)],
  ['effect/database-flush', (part) => !emptiesLocalTables(part)],
  ['effect/git-clone-config', addsHooks],
  ['effect/cloud-setting', reachesAccount],
  ['effect/forge-call', (part) => !isGraphQuery(part)],
  ['effect/platform-secret', showsSecret],
  ['effect/publish', isNoCopy],
  ['effect/package-release', isNoCopy],
  ['effect/build-publish', (part) => !has(part, /MavenLocal$|^publishLocal$|^\+publishLocal$|^publishM2$/)],
  ['effect/version-push', (part) => !has(part, /^(?:--no-push|run|exec)$/)],
  ['effect/image-change', (part) => !has(part, /^(?:--local|-L|--push=false)$/)],
  ['effect/script-deploy', (part, input) => isNoDryRun(part, input) && isUnread(part, input)],
  ['effect/remote-shell', reachesAway],
  ['effect/remote-copy', (part) => has(part, /:/)],
  ['effect/editor-tunnel', (part) => has(part, /^tunnel$/)],
  ['effect/hostname', (part) => part.argv.slice(1).some((one) => typeof one === 'string' && !one.startsWith('-'))],
  ['effect/hub-change', changesForge],
  ['effect/prune-history', losesHistory],
  ['effect/git-push', pushesAway],
  ['effect/force-push', pushesAway],
  ['effect/setuid', makesSetuid],
  ['effect/review-push', sendsChanges],
  ['effect/remove-tracked', removesTracked],
  ['effect/remove-history', isProjectHistory],
  ['effect/production-task', isProduction],
  ['effect/container-host', isRemoteEngine],
  ['effect/container-context', isRemoteEngine],
  [
    'effect/container-context-change',
    (part) => !part.argv.some((one) => typeof one === 'string' && isOwnEngine(one)) || has(part, /^connection$/),
  ],
  ['effect/send-data', sendsAway],
  ['effect/tunnel', opens],
  ['effect/queue-change', (part) => !namesOnlyLocalHosts(part, QUEUE_ADDRESS)],
  ['effect/queue-send', sendsToQueue],
  ['effect/interpreted-deploy', (part, input) => runsScript(part, input) && isNoDryRun(part, input)],
  ['effect/database-task', isNoTest],
  ['effect/framework-reset', isNoTest],
  ['effect/database-reset', isNoTest],
  ['effect/migration-rollback', isNoTest],
  ['effect/whole-table', changesEveryRow],
  ['effect/database-change', changesDatabase],
  ['effect/document-change', changesDocuments],
  ['effect/cache-change', changesCache],
  ['effect/database-restore', restoresRemotely],
  ['effect/database-load', restoresRemotely],
])

/** Does a question whose words are on the line apply to it? */
export const applies = ({ id }: Rule, part: Invocation, input: DecideInput): boolean =>
  CONDITIONS.get(id)?.(part, input) ?? true
