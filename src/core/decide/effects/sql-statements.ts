import type { Invocation } from '../../model/run/facts.js'
import type { DecideInput } from '../match/input.js'
import { hostOf, isLocalHost, optionValues } from '../match/local-host.js'

const HOST_OPTION = /^(?:-h(?!elp)|--host(?:=|$)|--server(?:=|$)|--uri(?:=|$)|--url(?:=|$))/
/** `-S` is a server to one client, and a socket to another. */
const SERVER_OPTION = /^-S/
const SCHEME =
  /^(?:postgres(?:ql)?|pgsql|mysql|mariadb|mongodb(?:\+srv)?|rediss?|sqlserver|cockroachdb|libsql|clickhouse|jdbc:\w+):\/\//i
const PAIRS = /(?:^|\s)host(?:addr)?=(\S+)/

/** Returns the hosts that a database client names on its command line. */
function hostsOf(part: Invocation, options: RegExp): readonly string[] {
  const given = optionValues(part, options)
  const addresses = part.argv.flatMap((argument) => {
    if (typeof argument !== 'string') return []
    if (SCHEME.test(argument)) return [argument]
    const pair = PAIRS.exec(argument)?.[1]
    return pair === undefined ? [] : [pair]
  })
  return [...given, ...addresses].map(hostOf)
}

const isRemote = (part: Invocation, options = HOST_OPTION): boolean =>
  hostsOf(part, options).some((host) => !isLocalHost(host)) ||
  (part.program === 'sqlcmd' && hostsOf(part, SERVER_OPTION).some((host) => !isLocalHost(host)))

/** `PGHOST=db.example.com psql …`. */
const isRemoteByVariable = ({ facts }: DecideInput): boolean =>
  facts.environment.some(
    ({ name, value }) => /^(?:PGHOST|MYSQL_HOST)$/.test(name) && value !== null && !isLocalHost(value),
  )

/** Options after which no statement is waited for. */
const GIVES_STATEMENT = /^(?:-c|--command|-e|--execute|-l|--list|-q|-Q|--query|--eval|-V|--version|--help|-\?).*/

const QUOTED = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\//g
const CHANGES =
  /^\s*(?:with\b[\s\S]*?\)\s*)?(?:insert|update|delete|merge|upsert|replace\s+into|alter|create|drop|truncate|grant|revoke|set\s+(?:global|persist)|rename|reindex|reassign|comment|import|load\s+data|copy\s+\S+(?:\s*\([^)]*\))?\s+from|\\copy\s+\S+\s+from|call|exec(?:ute)?|do)\b/i
const EVERY_ROW = /^\s*(?:with\b[\s\S]*?\)\s*)?(?:delete\s+from\b|update\s+[\s\S]*?\bset\b)/i
const NARROWED = /\b(?:where|limit)\b(?!\s*(?:true|1\s*=\s*1|1|not\s+false)\s*$)/i

/**
 * Returns the SQL statements in the arguments, split at `;`. Quoted text inside them is replaced, because it is data.
 */
const statementsOf = ({ argv }: Invocation): readonly string[] =>
  argv.slice(1).flatMap((argument) => {
    if (typeof argument !== 'string' || !/\s/.test(argument)) return []
    const text = argument.replace(/^(?:-[a-zA-Z]|--\w+=)/, '')
    return text.replace(QUOTED, (found) => (/^['"]/.test(found) ? 'x' : ' ')).split(';')
  })

const REMOVES = /\b(?:drop|truncate)\b|dropDatabase|\.drop\(|deleteMany\(\{\}\)/i
const REMAKES = /^\s*drop\s+(?:table|view|materialized\s+view|index|sequence|type|function|trigger)\s+if\s+exists\b/i

const isLocal = (part: Invocation): boolean => {
  const hosts = hostsOf(part, HOST_OPTION)
  return hosts.length > 0 && hosts.every((host) => host !== '' && isLocalHost(host))
}

/** Reports whether a script only drops objects `if exists` in a database that it names as local. */
export function clearsLocalData(part: Invocation): boolean {
  if (!isLocal(part)) return false
  const removing = statementsOf(part).filter((one) => REMOVES.test(one))
  return removing.length > 0 && removing.every((one) => REMAKES.test(one))
}

/** Reports whether a command empties a cache that it names as local. */
export const emptiesLocalTables = (part: Invocation): boolean =>
  /-cli$/.test(part.program ?? '') &&
  isLocal(part) &&
  !part.argv.some((one) => typeof one !== 'string' || /^shutdown$/i.test(one))

/** Clients that read statements from their standard input when they are given none. */
const CLIENTS = /^(?:psql|pgcli|mysql|mariadb|mycli|sqlcmd|clickhouse-client|cqlsh|snowsql|usql)$/
const FROM_FILE = /^(?:-f.*|--file.*|-i|--input-file.*|--queries-file.*|<)$/

/** Does a client of a database change every row of a table? */
export const changesEveryRow = (part: Invocation): boolean =>
  statementsOf(part).some((one) => EVERY_ROW.test(one) && !NARROWED.test(one))

/** Reports whether a client changes a database on another machine. Unread statements count as changes. */
export function changesDatabase(part: Invocation, input: DecideInput): boolean {
  if (!isRemote(part) && !isRemoteByVariable(input)) return false
  if (statementsOf(part).some((one) => CHANGES.test(one))) return true
  if (part.argv.some((argument) => typeof argument === 'string' && FROM_FILE.test(argument))) return true
  // Statements from a pipe or a terminal are unknown.
  return (
    CLIENTS.test(part.program ?? '') && !part.argv.some((one) => typeof one === 'string' && GIVES_STATEMENT.test(one))
  )
}

const DOCUMENT_CHANGES =
  /\.(?:insert\w*|update\w*|delete\w*|remove|replaceOne|findOneAnd\w+|bulkWrite|drop\w*|rename\w*|create\w+|save|shutdownServer|adminCommand|runCommand|grant\w+|revoke\w+)\s*\(/
const EVERY_DOCUMENT = /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\})?\s*\)|\.drop(?:Database|Indexes)?\s*\(/

/** Reports whether a document database client changes data on another machine or removes all documents. */
export function changesDocuments(part: Invocation): boolean {
  const texts = part.argv.slice(1).filter((argument) => typeof argument === 'string')
  if (/^mongo(?:restore|import)$/.test(part.program ?? ''))
    return texts.includes('--drop') || isRemote(part, /^(?:-h(?!elp)|--host(?:=|$)|--uri(?:=|$))/)
  if (texts.some((text) => EVERY_DOCUMENT.test(text))) return true
  return isRemote(part, /^--host(?:=|$)/) && texts.some((text) => DOCUMENT_CHANGES.test(text))
}

const CACHE_OPTIONS_WITH_VALUE =
  /^(?:-[hpasnridDu]|--(?:user|pass|eval|rdb|pipe-timeout|pattern|count|type|cacert|cert|key|sni))$/
const CACHE_READS =
  /^(?:get\w*|mget|[hlszx](?:get\w*|mget|keys|vals|len|range\w*|rangebyscore|members|card|score|rank|scan|exists|ismember|randmember|info|read|index|pending|count)|strlen|bitcount|keys|scan|type|ttl|pttl|exists|dbsize|info|ping|echo|time|randomkey|object|memory|dump|lastsave|role|monitor|subscribe|psubscribe|pubsub|command|latency|slowlog|select|auth|hello|quit|smismember|lpos|expiretime|touch)$/i

/** Reports whether a client changes a cache on another machine. Without a command it only connects. */
export function changesCache(part: Invocation): boolean {
  if (!isRemote(part, /^(?:-h(?!elp)|-u$)/)) return false
  const { argv } = part
  for (let i = 1; i < argv.length; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string' || argument === '--eval') return true
    if (CACHE_OPTIONS_WITH_VALUE.test(argument)) i++
    else if (!argument.startsWith('-')) {
      const next = argv[i + 1]
      if (/^(?:config|client|acl|cluster)$/i.test(argument))
        return !(typeof next === 'string' && /^(?:get|list|info|nodes|whoami|slots)$/i.test(next))
      return !CACHE_READS.test(argument)
    }
  }
  return false
}

/** Reports whether `pg_restore --clean` or `mysqlimport` writes to a database of another machine. */
export const restoresRemotely = (part: Invocation): boolean => isRemote(part)
