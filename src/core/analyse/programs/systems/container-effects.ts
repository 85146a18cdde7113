import { known } from '../grammar/arguments.js'
import { cut, reads, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect } from '../grammar/roles.js'

const isHostPath = (arg: Arg): boolean => /^[/.~]/.test(arg.prefix)

/** `-v /host:/inside[:ro]`: mounts a host directory in a container. */
function volume(value: Arg): readonly Effect[] {
  const [hostPath, rest] = cut(value, ':') ?? [value.prefix, known('', value.span)]
  const source = value.text === null && !value.prefix.includes(':') ? value : known(hostPath, value.span)
  if (!isHostPath(source)) return []
  return /(?:^|[:,])ro(?:,|$)/.test(rest.prefix) ? [reads(source, true)] : [writes(source, true)]
}

/** `--mount type=bind,source=/host,target=/inside,readonly`. */
function mount(value: Arg): readonly Effect[] {
  const found = /(?:^|,)(?:source|src)=([^,]*)/.exec(value.prefix)
  if (!found) return []
  const source = known(found[1] ?? '', value.span)
  if (!isHostPath(source)) return []
  return /(?:^|,)(?:readonly|ro)(?:=true|=1)?(?:,|$)/.test(value.prefix)
    ? [reads(source, true)]
    : [writes(source, true)]
}

/** Returns the host paths that a container can use. */
export function containerMounts({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    if (!value) return []
    if (name === '-v' || name === '--volume') return volume(value)
    return name === '--mount' ? mount(value) : []
  })
}

/** Images for one program, by the last part of their names. */
const TOOLS: ReadonlyMap<string, string> = new Map(
  'terraform terraform|opentofu tofu|terragrunt terragrunt|kubectl kubectl|helm helm|aws-cli aws|awscli aws|azure-cli az|pulumi pulumi|ansible ansible-playbook|rclone rclone|skopeo skopeo|crane crane|semantic-release semantic-release|flyctl flyctl|wrangler wrangler|goreleaser goreleaser|netlify-cli netlify|twine twine|alpine-helm helm|helmfile helmfile|nomad nomad|vault vault|consul consul|git git'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

/** `docker run hashicorp/terraform apply`: the image runs its program with the later words. */
export function imageProgram(call: Call): readonly Effect[] {
  const [image, ...rest] = call.operands
  const name = /([^/:@]+)(?::[^/]*)?(?:@.*)?$/.exec(image?.text ?? '')?.[1] ?? ''
  const program = TOOLS.get(name)
  if (!image || program === undefined || rest.length === 0 || call.has('--entrypoint')) return []
  return [{ does: 'run', argv: [known(program, image.span), ...rest], via: 'docker run' }]
}

/** `docker run --entrypoint PROGRAM IMAGE ARGUMENTS`: the words after the image are for that program. */
export function entrypoint(call: Call): readonly Effect[] {
  const program = call.value('--entrypoint')
  if (!program || program.text === '') return []
  return [{ does: 'run', argv: [program, ...call.operands.slice(1)], via: `${call.program} --entrypoint` }]
}

/** `kubectl exec POD -- COMMAND`, also the old form without dashes. */
export function podCommand({ argv, operands }: Call): readonly Effect[] {
  const dashes = argv.findIndex((arg) => arg.text === '--')
  const command = dashes >= 0 ? argv.slice(dashes + 1) : operands.slice(1)
  return command.length > 0 ? [{ does: 'run', argv: command, via: 'kubectl exec' }] : []
}

/** `ansible HOSTS -m shell -a COMMAND`. */
export function ansibleModule(call: Call): readonly Effect[] {
  const text = call.value('-a', '--args')
  const module = call.value('-m', '--module-name')?.text ?? 'command'
  if (text && /(?:^|\.)(?:shell|command|raw|script|expect)$/.test(module))
    return [{ does: 'shell', text, via: `ansible ${module}` }]
  return [{ does: 'foreign', reason: 'modules run on other machines' }]
}
