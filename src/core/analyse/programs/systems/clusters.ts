import { nameOf } from '../grammar/effect-builders.js'
import type { Call, Effect, Family, Grammar } from '../grammar/roles.js'
import { podCommand } from './container-effects.js'

const PLAIN: Grammar = { unlisted: 'ignore' }
const ASKS: Grammar = { writesOnlyNamedPaths: true }
const CLUSTER_ASKS =
  'get,describe,logs,top,version,cluster-info,api-resources,api-versions,explain,auth,diff,config,wait,events,completion,options'

/** `minikube kubectl -- get pods`, `k3s kubectl get pods`: runs a bundled kubectl. */
function ownKubectl(call: Call): readonly Effect[] {
  const at = call.argv.findIndex((arg) => arg.text === 'kubectl')
  const [word, ...rest] = at < 0 ? [] : call.argv.slice(at)
  const args = rest[0]?.text === '--' ? rest.slice(1) : rest
  return word && at > 0 ? [{ does: 'run', argv: [word, ...args], via: `${nameOf(call)} kubectl` }] : []
}

/** Clusters and virtual machines that run a command from their arguments. */
export const clusters: Family = [
  {
    names: 'kubectl oc kubecolor',
    values: {
      '-n --namespace --context --cluster --user -s --server --token --as --as-group --request-timeout -v --v --cache-dir':
        'text',
      '--kubeconfig': 'code-file',
    },
    writesOnlyNamedPaths: true,
    unlisted: 'ignore',
    subcommands: {
      [CLUSTER_ASKS]: ASKS,
      exec: {
        flags: '-i -t',
        values: { '-c --container -n --namespace --pod-running-timeout --context -f --filename --kubeconfig': 'text' },
        permute: true,
        effects: podCommand,
      },
      'run,debug': {
        foreign: 'the program in an image',
        effects: (call) => (call.argv.some((arg) => arg.text === '--') ? podCommand(call) : []),
      },
      cp: { operands: ['remote', 'remote-write'], values: { '-c --container -n --namespace': 'text' } },
      'apply,create,delete,replace,patch,scale,expose,annotate,label,autoscale,rollout,set,cordon,uncordon,drain,taint,port-forward,proxy,attach,certificate,kustomize':
        PLAIN,
      '*': { foreign: 'a plugin or an editor' },
    },
  },
  {
    names: 'helm helmfile helm3',
    values: { '--post-renderer': 'program' },
    foreign: 'templates and plugins',
    unlisted: 'ignore',
  },
  { names: 'minikube k3s microk8s k0s', foreign: 'clusters and plugins', effects: ownKubectl },
  {
    names: 'vagrant',
    values: { '-c --command': 'shell' },
    foreign: 'a program of the Vagrantfile',
    unlisted: 'ignore',
  },
]
