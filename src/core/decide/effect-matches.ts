import type { Invocation } from '../model/facts.js'
import type { Rule } from '../model/profile.js'
import { EFFECTS, type Effect } from './effects.js'
import { globMatches } from './glob.js'
import { ruleCovers } from './rule-matches.js'

export type EffectIndex = ReadonlyMap<string, readonly (readonly [Effect, Rule])[]>

const toRule = ({ name, program, args, because, instead, hits, misses }: Effect): Rule => ({
  id: `effect/${name}`,
  program,
  args,
  action: null,
  verdict: 'ask',
  because,
  instead,
  hits,
  misses,
})

export function indexEffects(removed: ReadonlySet<string>): EffectIndex {
  const index = new Map<string, (readonly [Effect, Rule])[]>()
  for (const effect of EFFECTS) {
    if (removed.has(effect.name)) continue
    const entry = [effect, toRule(effect)] as const
    for (const name of effect.program) index.set(name, [...(index.get(name) ?? []), entry])
  }
  return index
}

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Options before the subcommand whose value is the next argument, so that the value is not taken for the subcommand. */
const VALUE_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', list('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path')],
  ['docker', list('-H --host -c --context --config -l --log-level')],
  ['kubectl', list('-n --namespace --context --cluster --user --kubeconfig -s --server --token -v')],
  ['helm', list('-n --namespace --kube-context --kubeconfig')],
  ['npm', list('--prefix -w --workspace -C')],
  ['pnpm', list('-C --dir --filter -F')],
  ['yarn', list('--cwd')],
  ['cargo', list('--manifest-path -C -Z --config --color')],
  ['gh', list('-R --repo --hostname')],
  ['aws', list('--profile --region --output --endpoint-url --query')],
  ['gcloud', list('--project --account --configuration')],
])

const NONE: ReadonlySet<string> = new Set()

/** The first words after the program that are neither options nor their values; an unknown one is null. */
function leadingWords({ program, argv }: Invocation, count: number): readonly (string | null)[] {
  const takesValue = VALUE_OPTIONS.get(program ?? '') ?? NONE
  const words: (string | null)[] = []
  for (let i = 1; i < argv.length && words.length < count; i++) {
    const argument = argv[i]
    if (typeof argument === 'string' && takesValue.has(argument)) i++
    else if (typeof argument !== 'string') words.push(argument?.glob === undefined ? null : '*')
    else if (!argument.startsWith('-') && !(program === 'cargo' && argument.startsWith('+'))) words.push(argument)
  }
  return words
}

function wordInPlace({ args, within }: Effect, part: Invocation): boolean {
  const first = args[0]
  if (first === undefined) return true
  const wanted = typeof first === 'string' ? [first] : first
  if (wanted.some((one) => one.startsWith('-'))) return true
  return leadingWords(part, within).some((word) =>
    word === null ? true : wanted.some((one) => globMatches(one, word)),
  )
}

/** The effects of one part that ask by default. */
export function effectsOf(part: Invocation, index: EffectIndex): readonly Rule[] {
  const effects = part.program === null ? undefined : index.get(part.program.toLowerCase())
  if (!effects) return []
  return effects
    .filter(([effect, rule]) => ruleCovers(rule, part, 'bash') && wordInPlace(effect, part))
    .map(([, rule]) => rule)
}
