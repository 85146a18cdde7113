import { podCommand } from './container-hooks.js'
import type { Family, Grammar } from './knowledge.js'

const PLAIN: Grammar = { unknown: 'ignore' }
const ASKS: Grammar = { unknown: 'ignore', contained: true }
const CLUSTER_ASKS =
  'get,describe,logs,top,version,cluster-info,api-resources,api-versions,explain,auth,diff,config,wait,events,completion,options'

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
    unknown: 'ignore',
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
        unknown: 'ignore',
        hook: podCommand,
      },
      'run,debug': {
        values: { '--image -n --namespace --overrides --env -l --labels --restart --target -c --container': 'text' },
        unknown: 'ignore',
        foreign: 'the program of an image',
        hook: (call) => (call.argv.some((arg) => arg.text === '--') ? podCommand(call) : []),
      },
      'apply,create,delete,replace,patch,scale,expose': {
        values: {
          '-f --filename -k --kustomize': 'remote',
          '-n --namespace -l --selector -p --patch --patch-file --type -o --output --dry-run': 'text',
        },
        unknown: 'ignore',
      },
      cp: {
        operands: ['remote', 'remote-write'],
        values: { '-c --container -n --namespace': 'text' },
        unknown: 'ignore',
      },
      edit: { foreign: 'the editor of the settings', unknown: 'ignore' },
      'annotate,label,autoscale,rollout,set,cordon,uncordon,drain,taint,port-forward,proxy,attach,certificate,kustomize':
        PLAIN,
      '*': { foreign: 'a plugin', unknown: 'ignore' },
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
    unknown: 'ignore',
  },
  {
    names:
      'k9s kustomize kubectx kubens stern kubeadm minikube kind k3d k3s microk8s kops eksctl skaffold tilt garden devspace telepresence argocd flux istioctl linkerd velero kubeseal kubeval kube-linter popeye',
    foreign: 'clusters and plugins',
    unknown: 'ignore',
  },
  {
    names: 'vagrant',
    unknown: 'ignore',
    subcommands: {
      'ssh,winrm,powershell': {
        values: { '-c --command': 'shell' },
        permute: false,
        foreign: 'a program of the Vagrantfile',
        unknown: 'ignore',
      },
      '*': { foreign: 'a program of the Vagrantfile', unknown: 'ignore' },
    },
  },
  {
    names: 'multipass lima limactl colima orb',
    unknown: 'ignore',
    subcommands: { 'exec,shell,ssh': { permute: false, unknown: 'ignore', hook: podCommand }, '*': PLAIN },
  },
  {
    names:
      'virsh virt-install virt-manager virtualbox VBoxManage vboxmanage vmrun qemu qemu-img qemu-system-x86_64 qemu-system-aarch64 qemu-system-i386 qemu-nbd firecracker cloud-hypervisor packer proxmox qm pct',
    foreign: 'machines and their scripts',
    unknown: 'ignore',
  },
]
