import type { Invocation, Unknown } from '../../model/run/facts.js'

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const NONE: ReadonlySet<string> = new Set()
const MAVEN = list(
  '-pl -f -P -T -s -gs -rf -l --projects --file --activate-profiles --threads --settings --resume-from',
)
const MAKE = list('-C -f -I -o -W --directory --file --makefile --include-dir')

/** Subcommand groups: the next word is another subcommand. After other words come names. */
const CONTAINER_GROUPS = list(
  'builder buildx checkpoint compose config container context farm generate image kube machine manifest mcp model network node play plugin pod sandbox scout secret service stack swarm system trust volume',
)

type Leading = readonly [
  depth: number,
  options: ReadonlySet<string>,
  groups?: ReadonlySet<string> | undefined,
  unknown?: 'any',
]

/**
 * Programs with subcommands: the maximum depth, and the earlier options that take the next argument. `any` ignores
 * unknown words.
 */
const SUBCOMMANDS: ReadonlyMap<string, Leading> = new Map<string, Leading>([
  ['git', [1, list('-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path')]],
  ['docker', [2, list('-H --host -c --context --config -l --log-level'), CONTAINER_GROUPS]],
  ['podman', [2, list('-c --connection --log-level --root'), CONTAINER_GROUPS]],
  ['kubectl', [1, list('-n --namespace --context --cluster --user --kubeconfig -s --server --token -v')]],
  ['oc', [1, list('-n --namespace --context --cluster --user --kubeconfig')]],
  ['helm', [1, list('-n --namespace --kube-context --kubeconfig')]],
  ['npm', [1, list('--prefix -w --workspace -C')]],
  ['pnpm', [1, list('-C --dir --filter -F')]],
  ['yarn', [2, list('--cwd')]],
  ['cargo', [1, list('--manifest-path -C -Z --config --color')]],
  ['mvn', [9, MAVEN, undefined, 'any']],
  ['mvnw', [9, MAVEN, undefined, 'any']],
  ['make', [9, MAKE, undefined, 'any']],
  ['gmake', [9, MAKE, undefined, 'any']],
  ['just', [9, list('-f -d --justfile --working-directory --set'), undefined, 'any']],
  ['rake', [9, list('-f -C -I -r'), undefined, 'any']],
  ...['task', 'mage', 'invoke', 'inv'].map((name): [string, Leading] => [name, [9, NONE, undefined, 'any']]),
  ['gh', [2, list('-R --repo --hostname')]],
  ['glab', [2, list('-R --repo')]],
  ['terraform', [1, NONE]],
  ['tofu', [1, NONE]],
  ['aws', [2, list('--profile --region --output --endpoint-url --query')]],
  ['gcloud', [5, list('--project --account --configuration')]],
  ['az', [5, list('--subscription -o --output --query')]],
])

/** Reports whether an unknown word is certainly an option, so that it holds no subcommand. */
export const isOption = ({ prefix, maySplit }: Unknown): boolean => prefix !== undefined && maySplit !== true

/**
 * Returns the argument indexes of the subcommands, so that `git commit -m push` is not a push. Null for programs
 * without subcommands or with unknown options.
 */
export function subcommandPositions({ program, argv }: Invocation): readonly number[] | null {
  const known = SUBCOMMANDS.get(program?.toLowerCase() ?? '')
  if (!known) return null
  const [depth, takesValue, groups, unknown] = known
  const positions: number[] = []
  for (let i = 1; i < argv.length && positions.length < depth; i++) {
    const argument = argv[i]
    if (typeof argument !== 'string') {
      if (unknown !== 'any' && !(argument && isOption(argument))) positions.push(i)
    } else if (takesValue.has(argument)) i++
    else if (!/^[-+]/.test(argument)) {
      positions.push(i)
      if (groups && !groups.has(argument)) break
    }
  }
  return positions
}
