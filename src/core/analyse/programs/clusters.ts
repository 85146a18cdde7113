import { after, nameOf, reads, writes } from './arg-parts.js'
import { podCommand } from './container-hooks.js'
import type { Call, Effect, Family, Grammar } from './knowledge.js'

const PLAIN: Grammar = { unlisted: 'ignore' }
const ASKS: Grammar = { unlisted: 'ignore', contained: true }
const CLUSTER_ASKS =
  'get,describe,logs,top,version,cluster-info,api-resources,api-versions,explain,auth,diff,config,wait,events,completion,options'

/** `minikube kubectl -- get pods`, `k3s kubectl get pods`: a kubectl of its own. */
function ownKubectl(call: Call): readonly Effect[] {
  const at = call.argv.findIndex((arg) => arg.text === 'kubectl')
  const [word, ...rest] = at < 0 ? [] : call.argv.slice(at)
  const args = rest[0]?.text === '--' ? rest.slice(1) : rest
  return word && at > 0 ? [{ does: 'run', argv: [word, ...args], via: `${nameOf(call)} kubectl` }] : []
}

/** `qemu-img dd if=FROM of=TO`. */
function copiedBlocks({ operands }: Call): readonly Effect[] {
  return operands.flatMap((arg): readonly Effect[] => {
    const from = after(arg, 'if=')
    const to = after(arg, 'of=')
    return from ? [reads(from)] : to ? [writes(to)] : []
  })
}

/** Clusters and virtual machines. */
export const clusters: Family = [
  {
    names: 'kubectl oc kubecolor',
    flags: '--insecure-skip-tls-verify --match-server-version --warnings-as-errors -h --help',
    values: {
      '-n --namespace --context --cluster --user -s --server --token --as --as-group --request-timeout -v --v --cache-dir':
        'text',
      '--kubeconfig': 'code-file',
      '--certificate-authority --client-certificate --client-key': 'read',
    },
    contained: true,
    unlisted: 'ignore',
    subcommands: {
      [CLUSTER_ASKS]: ASKS,
      exec: {
        flags: '-i --stdin -t --tty -q --quiet',
        values: {
          '-c --container -n --namespace --pod-running-timeout --context': 'text',
          '-f --filename': 'read',
          '--kubeconfig': 'code-file',
        },
        permute: true,
        unlisted: 'ignore',
        hook: podCommand,
      },
      'run,debug': {
        values: { '--image -n --namespace --overrides --env -l --labels --restart --target -c --container': 'text' },
        unlisted: 'ignore',
        foreign: 'the program of an image',
        hook: (call) => (call.argv.some((arg) => arg.text === '--') ? podCommand(call) : []),
      },
      'apply,create,delete,replace,patch,scale,expose': {
        values: {
          '-f --filename -k --kustomize': 'remote',
          '-n --namespace -l --selector -p --patch --patch-file --type -o --output --dry-run': 'text',
        },
        unlisted: 'ignore',
      },
      cp: {
        operands: ['remote', 'remote-write'],
        values: { '-c --container -n --namespace': 'text' },
        unlisted: 'ignore',
      },
      edit: { foreign: 'the editor of the settings', unlisted: 'ignore' },
      'annotate,label,autoscale,rollout,set,cordon,uncordon,drain,taint,port-forward,proxy,attach,certificate,kustomize':
        PLAIN,
      '*': { foreign: 'a plugin', unlisted: 'ignore' },
    },
  },
  {
    names: 'helm helmfile helm3',
    values: {
      '--post-renderer': 'program',
      '--kubeconfig': 'code-file',
      '-f --values': 'remote',
      '-n --namespace --set --set-string --version --repo --kube-context': 'text',
    },
    rest: 'text',
    foreign: 'templates and plugins',
    unlisted: 'ignore',
  },
  {
    names: 'minikube k3s microk8s k0s',
    foreign: 'clusters and plugins',
    unlisted: 'ignore',
    hook: ownKubectl,
  },
  {
    names:
      'k9s kustomize kubectx kubens stern kubeadm kind k3d kops eksctl skaffold tilt garden devspace telepresence argocd flux istioctl linkerd velero kubeseal kubeval kube-linter popeye',
    foreign: 'clusters and plugins',
    unlisted: 'ignore',
  },
  {
    names: 'vagrant',
    unlisted: 'ignore',
    subcommands: {
      'ssh,winrm,powershell': {
        values: { '-c --command': 'shell' },
        permute: false,
        foreign: 'a program of the Vagrantfile',
        unlisted: 'ignore',
      },
      '*': { foreign: 'a program of the Vagrantfile', unlisted: 'ignore' },
    },
  },
  {
    names: 'multipass lima limactl colima orb',
    unlisted: 'ignore',
    subcommands: { 'exec,shell,ssh': { permute: false, unlisted: 'ignore', hook: podCommand }, '*': PLAIN },
  },
  {
    names: 'qemu-img',
    flags: '-h --help -V --version',
    values: { '-T --trace': 'text' },
    unlisted: 'ignore',
    contained: true,
    subcommands: {
      convert: {
        flags:
          '-c -p -q -n -C -W -U --force-share --salvage --image-opts --target-image-opts --target-is-zero --bitmaps --skip-broken-bitmaps',
        values: { '-f -F -O -o -S -l -m -r -s -t -T -B --object --options': 'text' },
        rest: 'read',
        last: 'write',
        unlisted: 'ignore',
      },
      create: {
        values: { '-f -F -o --object': 'text', '-b': 'read' },
        flags: '-q -u',
        operands: ['write'],
        rest: 'text',
      },
      'resize,commit,rebase,amend,snapshot,bitmap': {
        values: { '-f -F -t -T -o -r -b -d -a -c --object': 'text' },
        flags: '-q -p -u -l --shrink --preallocation',
        operands: ['update'],
        rest: 'text',
        unlisted: 'ignore',
      },
      check: {
        values: { '-f -r -T --output --object': 'text' },
        flags: '-q -U',
        operands: ['update'],
        unlisted: 'ignore',
      },
      dd: { flags: '-U', values: { '-f -O': 'text' }, unlisted: 'ignore', hook: copiedBlocks },
      '*': { values: { '-f -o --output --object -T': 'text' }, rest: 'read', unlisted: 'ignore' },
    },
  },
  {
    names:
      'virsh virt-install virt-manager virtualbox VBoxManage vboxmanage vmrun qemu qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 qemu-nbd firecracker cloud-hypervisor packer proxmox qm pct',
    foreign: 'machines and their scripts',
    unlisted: 'ignore',
  },
]
