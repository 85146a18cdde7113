import type { Command } from 'commander'
import type { Profile } from '../../../core/model/policy/profile.js'
import { type SnakeCase, toSnakeCase } from '../../../core/present/snake-case.js'
import { addColor, addJson } from '../request/options.js'
import { exitWith } from '../request/report-failure.js'
import { type Cli, columnsOf, paintOut, sayJson, sayOut, withEngine } from '../terminal/context.js'
import type { CliEngine } from '../terminal/dependencies.js'
import type { Paint } from '../terminal/style.js'
import { cut, glyphs, visible, widthOf } from '../terminal/visible-text.js'
import { EXITS_OF_LOOKING } from '../text/exit-statuses.js'
import { replayText } from '../text/replay.js'

interface ProfilesOptions {
  readonly names?: boolean
  readonly lint?: boolean
  readonly agent?: string
  readonly json?: boolean
  readonly color: boolean
}

/** `cordon profiles [name]`: which there are, or one of them in full. */
export function addProfiles(program: Command, cli: Cli): void {
  const command = program
    .command('profiles')
    .summary('list the profiles, or show one in full')
    .description('Lists the profiles with where each comes from; with a name, everything that profile says.')
    .argument('[name]', 'the profile to show in full')
    .option('--agent <name>', 'as it is in force for this agent')
    .option('--names', 'names only, one per line')
    .option(
      '--lint',
      'report rules that never decide, contradict each other or allow too much; exits 1 if there are any',
    )
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(command)).action((name: string | undefined, options: ProfilesOptions) =>
    exitWith(cli, options, () =>
      withEngine(cli, async (engine) => {
        if (options.lint) return lint(cli, engine, name, options)
        await (name === undefined ? list(cli, engine, options) : show(cli, engine, name, options))
        return 0
      }),
    ),
  )
  const diff = command
    .command('diff')
    .summary('list the recorded commands whose verdict a change of profile would change')
    .description('Decides every request on record again under both profiles. Runs nothing.')
    .argument('<old>', 'the profile as it is')
    .argument('<new>', 'the profile to compare with')
    .addHelpText('after', EXITS_OF_LOOKING)
  addColor(addJson(diff)).action((before: string, after: string, options: ProfilesOptions) =>
    exitWith(cli, options, async () => {
      const replay = await withEngine(cli, async (engine) => engine.profiles.replay(before, after))
      if (options.json) await sayJson(cli, replay)
      else await sayOut(cli, replayText(replay, paintOut(cli, options), columnsOf(cli.io)))
    }),
  )
}

/** Lints one profile or all of them. Returns exit status 1 if there are warnings. */
async function lint(cli: Cli, engine: CliEngine, name: string | undefined, options: ProfilesOptions): Promise<number> {
  const names = name === undefined ? engine.profiles.list().map((profile) => profile.name) : [name]
  const found = names.flatMap((profile) =>
    engine.profiles.lint(profile, options.agent ?? null).map((warning) => ({ profile, ...warning })),
  )
  const paint = paintOut(cli, options)
  if (options.json) await sayJson(cli, found)
  else if (found.length === 0) await sayOut(cli, `${paint.green('✔')} No complaints.\n`)
  else {
    const line = ({ profiles, rule, kind, message }: MergedWarning): string =>
      `${paint.yellow(kind)} ${paint.bold(profiles.map(visible).join(', '))} ${paint.dim(visible(rule))}  ${visible(message)}\n`
    await sayOut(cli, togetherOf(found).map(line).join(''))
  }
  return found.length === 0 ? 0 : 1
}

type Warning = ReturnType<CliEngine['profiles']['lint']>[number]

interface MergedWarning extends Warning {
  readonly profiles: readonly string[]
}

/** Merges equal warnings of several profiles. */
function togetherOf(found: readonly (Warning & { readonly profile: string })[]): readonly MergedWarning[] {
  const merged = new Map<string, MergedWarning>()
  for (const { profile, rule, kind, message } of found) {
    const key = JSON.stringify([rule, kind, message])
    merged.set(key, { rule, kind, message, profiles: [...(merged.get(key)?.profiles ?? []), profile] })
  }
  return [...merged.values()]
}

async function list(cli: Cli, engine: CliEngine, options: ProfilesOptions): Promise<void> {
  const profiles = engine.profiles.list()
  if (options.json) return sayJson(cli, profiles)
  if (options.names) return sayOut(cli, profiles.map(({ name }) => `${visible(name)}\n`).join(''))
  const paint = paintOut(cli, options)
  const inForce = engine.profiles.get(null, options.agent ?? null).name
  const width = Math.max(...profiles.map(({ name }) => name.length), 0)
  const columns = columnsOf(cli.io)
  const line = ({ name, summary, source }: (typeof profiles)[number]): string => {
    const lead = `${name === inForce ? paint.green('*') : ' '} ${paint.bold(visible(name).padEnd(width))}  `
    const left = columns - width - 4
    const shown = cut(summary, left)
    const room = left - widthOf(glyphs(shown)) - 1
    const from = visible(source)
    // Without room beside it, the file is named on the next line.
    const where = room >= from.length ? ` ${paint.dim(from)}` : `\n${' '.repeat(width + 4)}${paint.dim(from)}`
    return `${lead}${shown}${from === '' ? '' : where}\n`
  }
  return sayOut(cli, profiles.map(line).join(''))
}

async function show(cli: Cli, engine: CliEngine, name: string, options: ProfilesOptions): Promise<void> {
  const profile = engine.profiles.get(name, options.agent ?? null)
  if (options.json) return sayJson(cli, profile)
  return sayOut(cli, profileText(toSnakeCase(profile), paintOut(cli, options)))
}

/** Every field as the settings spell it, one per line, nested ones with their path. */
function profileText(profile: SnakeCase<Profile>, paint: Paint): string {
  const lines = (value: unknown, path: string): readonly string[] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => lines(inner, path ? `${path}.${key}` : key))
      : Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
        ? value.flatMap((item, i) => lines(item, `${path}[${i}]`))
        : [`${paint.dim(path)} ${visible(JSON.stringify(value))}`]
  return `${lines(profile, '').join('\n')}\n`
}
