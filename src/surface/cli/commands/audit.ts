import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Verdict } from '../../../core/model/policy/decision.js'
import type { AuditQuery, AuditRecord, VerifyOptions } from '../../../core/model/run/audit.js'
import { otlpLogs } from '../../../core/present/otlp-logs.js'
import { toSnakeCase } from '../../../core/present/snake-case.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, columnsOf, jsonLine, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { Paint } from '../terminal/style.js'
import { auditTable } from '../text/audit-table.js'
import { EXITS_OF_LOOKING, EXITS_OF_VERIFY } from '../text/exit-statuses.js'

interface AuditFilters {
  readonly text?: string
  readonly agent?: string
  readonly outcome?: AuditRecord['outcome']
  readonly verdict?: Verdict
  readonly since?: string
  readonly id?: string
  readonly limit?: number
}

interface AuditOptions extends AuditFilters {
  readonly json?: boolean
  readonly color: boolean
}

/** Whole by the compiler's word, and not read off the schemas: making those is felt in every start of every command. */
const OUTCOMES = names<AuditRecord['outcome']>({
  success: true,
  error: true,
  timeout: true,
  cancelled: true,
  blocked: true,
  held: true,
  rollback: true,
  invalid: true,
  authorized: true,
  running: true,
  interrupted: true,
})
const VERDICTS = names<Verdict>({ allow: true, ask: true, deny: true })

function names<T extends string>(all: Readonly<Record<T, true>>): readonly T[] {
  return Object.keys(all) as T[]
}

/** `cordon audit [query]`, `cordon audit export` and `cordon audit verify`: the audit log. */
export function addAudit(program: Command, cli: Cli): void {
  const command = addFilters(
    program
      .command('audit')
      .summary('show the audit log of all requests')
      .description('Lists requests, newest first: what was asked, by whom, what was decided, how it ended.'),
    '50',
  ).addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action((options: AuditOptions) => show(cli, options))
  const exporting = addFilters(
    command
      .command('export')
      .summary('print the audit log for other programs')
      .description('Prints all requests, oldest first, as lines of JSON.')
      .addOption(
        new Option(
          '--format <format>',
          'ndjson: a request on each line; otlp: logs of OpenTelemetry, many on each line',
        )
          .choices(FORMATS)
          .default('ndjson'),
      ),
    'all',
  ).addHelpText('after', EXITS_OF_LOOKING)
  addColor(exporting).action((options: ExportOptions) => exportRecords(cli, options))
  const verify = command
    .command('verify')
    .summary('check that no row of the audit log was changed or removed')
    .description('Recomputes the hash chain over the whole record.')
    .option('--expect <head>', 'a head printed before: its row must still be there')
    .option('--accept', 'take the log as it is for the whole log from now on')
    .addHelpText('after', EXITS_OF_VERIFY)
  addColor(addJson(verify)).action((options: VerifyCommandOptions) => verifyRecord(cli, options))
}

const addFilters = (command: Command, limit: string): Command =>
  command
    .option('--text <text>', 'only commands that contain this text')
    .option('--agent <name>', 'only this agent')
    .option('--outcome <outcome>', `only this ending (${OUTCOMES.join(', ')})`, oneOf(OUTCOMES))
    .option('--verdict <verdict>', 'only this decision (allow, ask, deny)', oneOf(VERDICTS))
    .option('--since <when>', 'only from then on: 30m, 12h, 7d, or a date', moment)
    .option('--id <id>', 'only this request, or those whose id begins so')
    .option('--limit <count>', `at most this many (${limit})`, count)

function queryOf({ text, agent, outcome, verdict, since, id, limit }: AuditFilters): AuditQuery {
  const asked = { agent, outcome, verdict, since, id, limit, text }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

async function show(cli: Cli, options: AuditOptions): Promise<void> {
  await exitWith(cli, options, async () => {
    const records = await withEngine(cli, async (engine) => engine.audit.query(queryOf(options)))
    if (options.json) await sayJson(cli, records)
    else await sayOut(cli, auditTable(records, paintOut(cli, options), columnsOf(cli.io)))
  })
}

const FORMATS = ['ndjson', 'otlp'] as const
/** Limits of what is written at once, and of a line of OTLP. */
const CHARS_AT_ONCE = 500_000
const RECORDS_AT_ONCE = 500

interface ExportOptions extends AuditFilters {
  readonly format: (typeof FORMATS)[number]
  readonly color: boolean
}

/** Writes as fast as the reader takes it, and holds no more than what is written at once. */
async function exportRecords(cli: Cli, options: ExportOptions): Promise<void> {
  const { version } = cli.io
  const text = (records: readonly AuditRecord[]): string =>
    options.format === 'otlp'
      ? jsonLine(otlpLogs(records, version))
      : records.map((record) => jsonLine(toSnakeCase(record))).join('')
  await exitWith(cli, options, async () => {
    await withEngine(cli, async (engine) => {
      let batch: AuditRecord[] = []
      let chars = 0
      for (const record of engine.audit.records(queryOf(options))) {
        batch.push(record)
        chars += record.command.length
        if (batch.length < RECORDS_AT_ONCE && chars < CHARS_AT_ONCE) continue
        await sayOut(cli, text(batch))
        batch = []
        chars = 0
      }
      if (batch.length > 0) await sayOut(cli, text(batch))
    })
  })
}

type VerifyCommandOptions = Pick<AuditOptions, 'json' | 'color'> & VerifyOptions

function verifyRecord(cli: Cli, options: VerifyCommandOptions): Promise<void> {
  return exitWith(cli, options, async () => {
    const { expect, accept } = options
    const verification = await withEngine(cli, async (engine) => engine.audit.verify({ expect, accept }))
    const paint = paintOut(cli, options)
    if (options.json) await sayJson(cli, verification)
    else if (verification.ok)
      await sayOut(
        cli,
        `${paint.green('✔')} ${verification.rows} rows, the chain is whole.\n${headLine(verification.head, paint)}`,
      )
    else await sayOut(cli, `${paint.red('✘')} Broken at row ${verification.brokenAt}: ${verification.reason}\n`)
    return verification.ok ? 0 : 1
  })
}

const headLine = (head: string | null, { dim }: Paint): string => (head === null ? '' : `${dim(`head ${head}`)}\n`)

const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T => {
    const found = choices.find((choice) => choice === text)
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`)
    return found
  }

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

function moment(text: string): string {
  const ago = /^(\d{1,6})([smhd])$/.exec(text)
  const at = ago ? Date.now() - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS] : Date.parse(text)
  if (!Number.isFinite(at)) throw new InvalidArgumentError('It must be a span such as 30m, 12h or 7d, or a date.')
  return new Date(at).toISOString()
}

function count(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > 10_000) throw new InvalidArgumentError('It must be a number from 1 to 10000.')
  return number
}
