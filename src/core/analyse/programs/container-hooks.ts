import { cut, reads, writes } from './arg-parts.js'
import { known } from './arguments.js'
import type { Arg, Call, Effect } from './knowledge.js'

const isPlace = (arg: Arg): boolean => /^[/.~]/.test(arg.head)

/** `-v /host:/inside[:ro]`: a directory of the host handed to a container. */
function volume(value: Arg): readonly Effect[] {
  const [place, rest] = cut(value, ':') ?? [value.head, known('', value.span)]
  const source = value.text === null && !value.head.includes(':') ? value : known(place, value.span)
  if (!isPlace(source)) return []
  return /(?:^|[:,])ro(?:,|$)/.test(rest.head) ? [reads(source, true)] : [writes(source, true)]
}

/** `--mount type=bind,source=/host,target=/inside,readonly`. */
function mount(value: Arg): readonly Effect[] {
  const found = /(?:^|,)(?:source|src)=([^,]*)/.exec(value.head)
  if (!found) return []
  const source = known(found[1] ?? '', value.span)
  if (!isPlace(source)) return []
  return /(?:^|,)(?:readonly|ro)(?:=true|=1)?(?:,|$)/.test(value.head) ? [reads(source, true)] : [writes(source, true)]
}

/** Places of the host that a container is given. */
export function containerMounts({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    if (!value) return []
    if (name === '-v' || name === '--volume') return volume(value)
    return name === '--mount' ? mount(value) : []
  })
}

/** Images that are there for one program, by the last part of their names. */
const TOOLS: ReadonlyMap<string, string> = new Map(
  'terraform terraform|opentofu tofu|terragrunt terragrunt|kubectl kubectl|helm helm|aws-cli aws|awscli aws|azure-cli az|pulumi pulumi|ansible ansible-playbook|rclone rclone|skopeo skopeo|crane crane|semantic-release semantic-release|flyctl flyctl|wrangler wrangler|goreleaser goreleaser|netlify-cli netlify|twine twine|alpine-helm helm|helmfile helmfile|nomad nomad|vault vault|consul consul|git git'
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

/** `docker run hashicorp/terraform apply`: the image runs its own program with what follows. */
export function imageProgram(call: Call): readonly Effect[] {
  const [image, ...rest] = call.operands
  const name = /([^/:@]+)(?::[^/]*)?(?:@.*)?$/.exec(image?.text ?? '')?.[1] ?? ''
  const program = TOOLS.get(name)
  if (!image || program === undefined || rest.length === 0 || call.has('--entrypoint')) return []
  return [{ does: 'run', argv: [known(program, image.span), ...rest], via: 'docker run' }]
}

/** `docker run --entrypoint PROGRAM IMAGE ARGUMENTS`: what follows the image is for that program. */
export function entrypoint(call: Call): readonly Effect[] {
  const program = call.value('--entrypoint')
  if (!program || program.text === '') return []
  return [{ does: 'run', argv: [program, ...call.operands.slice(1)], via: `${call.program} --entrypoint` }]
}

/** `kubectl exec POD -- COMMAND`, or the old form without dashes. */
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
