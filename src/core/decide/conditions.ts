import type { Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { isOwnEngine, namesHereOnly } from './here.js'
import { isOwnLoopback } from './network-matches.js'
import type { DecideInput } from './scene.js'
import { sendsAway } from './sends-away.js'
import {
  changesCache,
  changesDatabase,
  changesDocuments,
  changesEveryRow,
  clearsHere,
  emptiesHere,
  restoresElsewhere,
} from './statements.js'

type Condition = (part: Invocation, input: DecideInput) => boolean

const has = ({ argv }: Invocation, pattern: RegExp): boolean =>
  argv.some((argument) => typeof argument === 'string' && pattern.test(argument))

/** `git rm -rf .`, but not where only the index changes. */
const removesTracked = (part: Invocation): boolean =>
  has(part, /^(?:--force|-[a-z]*f[a-z]*)$/) && has(part, /^(?:\.\/?|:\/)$/) && !has(part, /^--cached$/)

/** Commands of a cloud's program that change its settings here, or what stands in for the cloud here. */
const OWN_SETTINGS: ReadonlyMap<string, RegExp> = new Map([
  ['aws', /^(?:configure|help)$/],
  ['gcloud', /^(?:config|components|emulators|init|info|topic|auth)$/],
  ['az', /^(?:account|config|configure|extension|cloud|bicep|login|logout|version|upgrade)$/],
  ['doctl', /^(?:auth|version)$/],
  ['sam', /^(?:local|build|validate|init|logs)$/],
  ['firebase', /^emulators:/],
  ['argocd', /^(?:login|logout|context|relogin)$/],
])

/** Is it done in an account, and not here? */
function reachesAccount(part: Invocation): boolean {
  const [, first] = part.argv
  if (typeof first === 'string' && OWN_SETTINGS.get(part.program ?? '')?.test(first)) return false
  if (has(part, /^deployments?$/) && has(part, /^(?:list|ls|view|status|show|what-if|validate)$/)) return false
  if (part.program === 'wrangler' || part.program === 'supabase') return !has(part, /^--local$/)
  if (part.program === 'aws') return !namesHereOnly(part, /^--endpoint-url(?:=|$)/)
  return part.program !== 'flux' || !has(part, /^--export$/)
}

/** `hub issue` lists, `hub release show` shows, `hub api` asks unless it is told otherwise. */
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

/** A script of the project that is told to rehearse is believed. */
const isForReal: Condition = (part) => !has(part, /^(?:--dry-run|--dryrun|--check|--help|--plan|--diff|-n)$/)

/** A branch of one's own is removed every day; the one that all others start from is not. */
const losesHistory: Condition = (part) =>
  has(part, /^(?:gc|update-ref|prune)$/) ||
  (has(part, /^stash$/) && has(part, /^clear$/)) ||
  (has(part, /^branch$/) && has(part, /^(?:main|master|trunk)$/) && !has(part, /^-[rm]|^--(?:remotes|move)$/))

/** `diff` and `update` send by some of these tools, and look by others. */
const sendsChanges: Condition = (part) =>
  part.program === 'spr' || !(part.argv[1] === 'diff' || part.argv[1] === 'update')

/** Only the history of the project itself: a template that was fetched loses its own every day. */
const isProjectHistory: Condition = (_, { facts, surroundings: { workspace } }) =>
  facts.deletes.some(({ path }) => path.replace(/\/$/, '') === `${workspace}/.git`)

const isProduction: Condition = (part, { facts }) =>
  has(part, /^--env=prod(?:uction)?$/) ||
  facts.environment.some(({ name, value }) => /_ENV$/.test(name) && /^prod(?:uction)?$/.test(value ?? ''))

function isOtherEngine(part: Invocation): boolean {
  const { argv } = part
  return argv.some((argument, i) => {
    if (typeof argument !== 'string') return false
    const chosen = /^(?:--(?:context|connection)(?:=(.*))?|-c)$/.exec(argument)
    // Behind a subcommand the letter is another option.
    if (chosen === null || (argument === '-c' && i !== 1)) return false
    const name = chosen[1] ?? argv[i + 1]
    return typeof name !== 'string' || !isOwnEngine(name)
  })
}

const ENGINE_ADDRESS = /^(?:-H|--host(?:=|$)|--url(?:=|$))/
const isRemoteEngine: Condition = (part) =>
  isOtherEngine(part) ||
  (has(part, /^(?:-H=?|--host=|--url=)?(?:tcp|ssh):\/\//) && !namesHereOnly(part, ENGINE_ADDRESS))

const TEST_STAGE = /^(?:test|testing|ci)$/
/** The database of the tests is made anew for each run. */
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
  !namesHereOnly(part, QUEUE_ADDRESS) &&
  !has(part, /^192\.168\./)

/** `tailscale status` looks; so do `ngrok version` and `cloudflared tunnel list`. */
const LOOKS =
  /^(?:status|version|config|completion|help|list|ls|info|ip|ping|netcheck|whois|diagnostics|credits|update|--version|--help|-h|-v)$/
const opens: Condition = (part) => part.argv.length === 1 || !has(part, LOOKS)

/** A script that is named so, and run: options of an interpreter may only look at it. What is not known is not named. */
const runsScript: Condition = (part) =>
  has(part, /(?:deploy|publish)[\w-]*\.\w+$/) && !has(part, /^(?:-n|-m|--check|-c|--syntax-check)$/)

/** Settings of git that name what it runs, or where it takes that from. */
const RUNNING_SETTING =
  /^(?:-c|--co[a-z]*=)?(?:alias\.|core\.(?:hookspath|fsmonitor|sshcommand|gitproxy|pager|editor|askpass|alternaterefscommand|attributesfile|worktree)=|filter\.|diff\..+\.(?:command|textconv)=|diff\.external=|merge\..+\.driver=|include(?:if\..+)?\.|credential\.(?:.+\.)?helper=|gpg\.|init\.templatedir=|pager\.|sequence\.editor=|remote\..+\.(?:uploadpack|receivepack|vcs)=|url\.ext::|protocol\.(?:ext\.)?allow=)/i
/** Values with which they run nothing, or the same as without. */
const TAME_SETTING = /=(?:|true|false|0|1|\/dev\/null|store|cache|cat|less|vim?|nano|ssh(?: -i ?[\w./~-]+)?)$/i

/** `git clone --template=DIRECTORY` brings hooks along; `git clone -c core.hooksPath=…` is a setting that stays. */
const plants: Condition = ({ argv }) =>
  argv.some((argument, i) => {
    if (i < 2) return false
    if (typeof argument !== 'string')
      return /^--te/.test(argument.prefix ?? '') || RUNNING_SETTING.test(argument.prefix ?? '')
    if (/^--te/.test(argument)) return argument.includes('=') ? !argument.endsWith('=') : argv[i + 1] !== ''
    return RUNNING_SETTING.test(argument) && !TAME_SETTING.test(argument)
  })

/** `telnet localhost 25` reaches the sandbox's own loopback, and no other machine. */
const reachesAway: Condition = ({ program, span }, input) => {
  const named = input.facts.hosts.filter(
    (host) => host.by === program && host.span[0] >= span[0] && host.span[1] <= span[1],
  )
  return named.length === 0 || named.some(({ host }) => !isOwnLoopback(host, input))
}

/** Questions that are asked only where more than their words holds. */
const CONDITIONS: ReadonlyMap<string, Condition> = new Map([
  ['effect/cloud-change', reachesAccount],
  ['effect/cloud-operation', reachesAccount],
  ['effect/platform-change', reachesAccount],
  ['effect/orchestration-change', reachesAccount],
  ['effect/database-statement', (part) => reachesAccount(part) && !clearsHere(part)],
  ['effect/database-flush', (part) => !emptiesHere(part)],
  ['effect/git-clone-config', plants],
  ['effect/cloud-setting', reachesAccount],
  ['effect/forge-call', (part) => !isGraphQuery(part)],
  ['effect/platform-secret', showsSecret],
  ['effect/publish', isNoCopy],
  ['effect/package-release', isNoCopy],
  ['effect/build-publish', (part) => !has(part, /MavenLocal$|^publishLocal$|^\+publishLocal$|^publishM2$/)],
  ['effect/version-push', (part) => !has(part, /^(?:--no-push|run|exec)$/)],
  ['effect/image-change', (part) => !has(part, /^(?:--local|-L|--push=false)$/)],
  ['effect/script-deploy', isForReal],
  ['effect/remote-shell', reachesAway],
  ['effect/remote-copy', (part) => has(part, /:/)],
  ['effect/editor-tunnel', (part) => has(part, /^tunnel$/)],
  ['effect/hostname', (part) => part.argv.slice(1).some((one) => typeof one === 'string' && !one.startsWith('-'))],
  ['effect/hub-change', changesForge],
  ['effect/prune-history', losesHistory],
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
  ['effect/queue-change', (part) => !namesHereOnly(part, QUEUE_ADDRESS)],
  ['effect/queue-send', sendsToQueue],
  ['effect/interpreted-deploy', (part, input) => runsScript(part, input) && isForReal(part, input)],
  ['effect/database-task', isNoTest],
  ['effect/framework-reset', isNoTest],
  ['effect/database-reset', isNoTest],
  ['effect/migration-rollback', isNoTest],
  ['effect/whole-table', changesEveryRow],
  ['effect/database-change', changesDatabase],
  ['effect/document-change', changesDocuments],
  ['effect/cache-change', changesCache],
  ['effect/database-restore', restoresElsewhere],
  ['effect/database-load', restoresElsewhere],
])

/** Does a question whose words are on the line apply to it? */
export const applies = ({ id }: Rule, part: Invocation, input: DecideInput): boolean =>
  CONDITIONS.get(id)?.(part, input) ?? true
