import type { HostFact, Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { isLocalHost, isOwnEngine, namesHereOnly } from './here.js'
import type { DecideInput } from './scene.js'
import { changesCache, changesDatabase, changesDocuments, changesEveryRow, restoresElsewhere } from './statements.js'

type Condition = (part: Invocation, input: DecideInput) => boolean

const has = ({ argv }: Invocation, pattern: RegExp): boolean =>
  argv.some((argument) => typeof argument === 'string' && pattern.test(argument))

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

/** Options of curl and wget that send something, and methods that change something. */
const SENDING_OPTION =
  /^(?:-(?!-)[A-Za-z#]*(?:[dFT])(?![a-z]*-)|--(?:data|json|form|upload-file|post-(?:data|file)|body-(?:data|file)|url-query-file)(?:[-=].*)?$)/
const METHOD = /^(?:-(?!-)[A-Za-z#]*X|--(?:request|method)(?:=|$))/
const CHANGING = /^=?(?:post|put|patch|delete)$/i

function sends(part: Invocation): boolean {
  const { argv, program } = part
  if (/^(?:http|https|httpie|xh|xhs)$/.test(program ?? ''))
    return argv.slice(1).some((one, i, all) => {
      if (typeof one !== 'string' || one.startsWith('-')) return false
      if (CHANGING.test(one)) return true
      return i > 0 && !/^https?:/.test(one) && all.length > 1 && /^[\w.-]+(?::?=|=@|@)(?!=)/.test(one)
    })
  return argv.some((one, i) => {
    if (i === 0 || typeof one !== 'string') return false
    if (SENDING_OPTION.test(one) && !/^(?:-G|--get)$/.test(one))
      return !has(part, /^(?:-(?!-)[A-Za-z#]*G[A-Za-z#]*|--get)$/)
    const method = METHOD.exec(one)?.[0]
    if (method === undefined) return false
    const value = one.slice(method.length) || argv[i + 1]
    return typeof value === 'string' && CHANGING.test(value)
  })
}

const isOwn = ({ span }: HostFact, part: Invocation): boolean => span[0] >= part.span[0] && span[1] <= part.span[1]

const sendsAway: Condition = (part, { facts }) => {
  if (!sends(part)) return false
  const hosts = facts.hosts.filter((host) => host.by === part.program && isOwn(host, part))
  return hosts.length === 0 ? !has(part, /^(?:https?:\/\/)?:\d+/) : hosts.some(({ host }) => !isLocalHost(host))
}

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

/** Questions that are asked only where more than their words holds. */
const CONDITIONS: ReadonlyMap<string, Condition> = new Map([
  ['effect/cloud-change', reachesAccount],
  ['effect/cloud-operation', reachesAccount],
  ['effect/platform-change', reachesAccount],
  ['effect/orchestration-change', reachesAccount],
  ['effect/database-statement', reachesAccount],
  ['effect/cloud-setting', reachesAccount],
  ['effect/forge-call', (part) => !isGraphQuery(part)],
  ['effect/platform-secret', showsSecret],
  ['effect/publish', isNoCopy],
  ['effect/package-release', isNoCopy],
  ['effect/build-publish', (part) => !has(part, /MavenLocal$|^publishLocal$|^\+publishLocal$|^publishM2$/)],
  ['effect/version-push', (part) => !has(part, /^(?:--no-push|run|exec)$/)],
  ['effect/image-change', (part) => !has(part, /^(?:--local|-L|--push=false)$/)],
  ['effect/script-deploy', isForReal],
  ['effect/remote-copy', (part) => has(part, /:/)],
  ['effect/editor-tunnel', (part) => has(part, /^tunnel$/)],
  ['effect/machine-name', (part) => part.argv.slice(1).some((one) => typeof one === 'string' && !one.startsWith('-'))],
  ['effect/hub-change', changesForge],
  ['effect/lose-history', losesHistory],
  ['effect/change-push', sendsChanges],
  ['effect/remove-history', isProjectHistory],
  ['effect/production-task', isProduction],
  ['effect/remote-engine', isRemoteEngine],
  ['effect/other-engine', isRemoteEngine],
  [
    'effect/engine-choice',
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
  ['effect/migration-undone', isNoTest],
  ['effect/whole-table', changesEveryRow],
  ['effect/database-change', changesDatabase],
  ['effect/document-change', changesDocuments],
  ['effect/cache-change', changesCache],
  ['effect/database-restore', restoresElsewhere],
])

/** Does a question whose words are on the line apply to it? */
export const applies = ({ id }: Rule, part: Invocation, input: DecideInput): boolean =>
  CONDITIONS.get(id)?.(part, input) ?? true
