import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

/** Changes of clusters, clouds and forges, and containers with access to the host. Cordon cannot undo them. */
export const CLOUD_EFFECTS: readonly Rule[] = [
  ask({
    name: 'host-container',
    program: ['docker', 'podman', 'nerdctl'],
    args: [
      words(
        '--privileged --privileged=true --pid=host --net=host --network=host /:* --volume=/:* -v/:* ' +
          '--ipc=host --userns=host --uts=host *unconfined* type=bind,source=/,* type=bind,src=/,* ' +
          '--mount=type=bind,source=/,* --cap-add* --device* */docker.sock:*',
      ),
    ],
    because: 'The container would get access to the host.',
    instead: 'Run it without host privileges, and mount only the directories it needs.',
    hits: [
      'docker run --privileged -v /:/host alpine chroot /host sh',
      'docker run -v /:/host alpine ls',
      'podman run --pid=host x',
    ],
    misses: ['docker run --rm -v "$PWD":/app node npm test', 'docker run alpine ls'],
  }),
  ask({
    name: 'host-namespace',
    program: ['docker', 'podman', 'nerdctl'],
    args: [['--pid', '--net', '--network', '--ipc', '--uts', '--userns', '--cgroupns'], 'host'],
    because: 'The container would get access to the host.',
    instead: 'Run it without host privileges, and mount only the directories it needs.',
    hits: ['docker run --pid host alpine', 'docker run --rm --network host alpine'],
    misses: ['docker run --network dev alpine', 'docker run alpine ping host', 'docker network ls'],
  }),
  ask({
    name: 'cluster-change',
    program: ['kubectl', 'oc', 'k'],
    args: [
      words(
        'apply create delete replace patch edit scale drain cordon taint exec cp set annotate label expose ' +
          'run autoscale debug attach uncordon certificate rsh new-app new-project start-build adm import-image ' +
          'tag',
      ),
    ],
    because: 'It changes a cluster.',
    instead: 'Use `diff` or `--dry-run=client`, and ask a person to apply it.',
    hits: ['kubectl apply -f x.yaml', 'kubectl -n app delete pod x'],
    misses: ['kubectl get pods', 'kubectl describe pod x', 'kubectl logs x', 'kubectl diff -f x.yaml'],
  }),
  ask({
    name: 'cluster-rollout',
    program: ['kubectl', 'oc', 'k'],
    args: ['rollout', ['restart', 'undo', 'pause', 'resume', 'cancel', 'latest', 'retry']],
    because: 'It changes a cluster.',
    instead: 'Read `rollout status` and `rollout history`, and ask a person to run it.',
    hits: ['kubectl rollout restart deploy/api', 'kubectl -n app rollout undo deploy/api'],
    misses: ['kubectl rollout status deploy/api', 'kubectl rollout history deploy/api'],
  }),
  ask({
    name: 'chart-change',
    program: ['helm'],
    args: [['install', 'upgrade', 'uninstall', 'delete', 'rollback', 'cm-push', 's3']],
    because: 'It changes a cluster.',
    instead: 'Use `helm template` or `helm diff`.',
    hits: ['helm upgrade app ./chart'],
    misses: ['helm template ./chart', 'helm list'],
  }),
  ask({
    name: 'infrastructure-change',
    program: ['terraform', 'tofu', 'terragrunt', 'pulumi', 'cdk', 'serverless', 'sls', 'cdktf', 'sst'],
    args: [
      words(
        'apply destroy up deploy import taint remove untaint refresh force-unlock cancel apply-all ' +
          'destroy-all bootstrap',
      ),
    ],
    because: 'It changes running infrastructure.',
    instead: 'Make a plan, and ask a person to apply it.',
    hits: ['terraform apply -auto-approve', 'terraform destroy', 'pulumi up'],
    misses: ['terraform plan', 'terraform fmt', 'terraform validate'],
  }),
  ask({
    name: 'cloud-change',
    program: words(
      'aws gcloud az doctl flyctl fly heroku vercel netlify gsutil linode-cli hcloud eksctl wrangler firebase ' +
        'sam eb argocd flux velero oci scw openstack civo vultr-cli upctl yc',
    ),
    args: [
      words(
        'create* *:destroy *:rollback delete* put* update* terminate* run-instances modify* remove* deploy* ' +
          'set-* attach* detach* start* stop* reboot* cp mv rm rb mb sync rsync apply destroy publish --prod ' +
          'send* import* restore* ssh submit upload* add up restart resize scale scp add-* enable reset* patch ' +
          'swap purge assign invoke execute regenerate* failover approve config-zip complete call drop-* export ' +
          'rebuild* poweroff shutdown signurl sign-url disable',
      ),
    ],
    because: 'It changes a cloud account.',
    instead: 'Read the state, and ask a person to make the change.',
    hits: [
      'aws s3 rm s3://bucket/x',
      'gcloud compute instances delete vm',
      'az group create -n x',
      'aws ec2 terminate-instances --instance-ids i-1',
      'heroku apps:destroy x',
      'sam deploy',
      'gcloud builds submit --tag x',
      'az webapp up -n app',
      'argocd app delete x',
    ],
    misses: ['aws s3 ls', 'gcloud config list', 'az account show', 'sam build', 'argocd app list', 'flux get all'],
  }),
  ask({
    name: 'forge-change',
    program: ['gh', 'glab', 'tea', 'fj', 'berg'],
    args: [
      words(
        'create merge delete close edit comment review archive rename upload set transfer fork reopen enable ' +
          'disable ready lock unlock pin unpin add item-* sync approve revoke update-branch unarchive develop ' +
          'note',
      ),
    ],
    because: 'It changes a forge (such as GitHub) where others see it.',
    instead: 'Write the text to a local file, and ask a person to submit it.',
    hits: ['gh pr create --fill', 'gh release delete v1'],
    misses: ['gh pr list', 'gh issue view 1', 'gh auth status'],
  }),
  ask({
    name: 'forge-call',
    program: ['gh', 'glab'],
    args: ['api', ['-X*', '--method*', '-f', '-F', '--field*', '--raw-field*', '--input*']],
    because: 'It may change a forge (such as GitHub) where others see it.',
    instead: 'Read with GET, and ask a person to make the change.',
    hits: ['gh api -X DELETE repos/a/b', 'gh api repos/a/b/issues -f title=x'],
    misses: ['gh api repos/a/b', 'gh run list'],
  }),
  ask({
    name: 'cloud-setting',
    program: ['az'],
    args: [['set', 'build', 'disable', 'deallocate', 'redeploy', 'move', 'generate*', 'rotate', 'grant', 'revoke']],
    because: 'It changes a cloud account.',
    instead: 'Read the state, and ask a person to make the change.',
    hits: [
      'az keyvault secret set --vault-name v --name s --value x',
      'az webapp config appsettings set -n a -g g --settings A=b',
      'az acr build -r r -t x .',
    ],
    misses: ['az account set --subscription x', 'az config set core.output=table', 'az webapp config show -n a -g g'],
  }),
  ask({
    name: 'cloud-access',
    program: ['gsutil'],
    args: [
      words('iam acl defacl web cors lifecycle versioning retention label notification logging'),
      ['ch', 'set', 'del', 'remove', 'create', 'clear', 'lock', 'on', 'off'],
    ],
    because: 'It changes a cloud account.',
    instead: 'Read the state, and ask a person to make the change.',
    hits: ['gsutil iam ch allUsers:objectViewer gs://b', 'gsutil cors set x.json gs://b'],
    misses: ['gsutil iam get gs://b', 'gsutil ls gs://b'],
  }),
  ask({
    name: 'cloud-request',
    program: ['aliyun', 'tccli', 'ucloud', 'hcloud-cli'],
    args: [
      words(
        'Create* Delete* Run* Start* Stop* Reboot* Modify* Terminate* Attach* Detach* Authorize* Revoke* Set* ' +
          'Put* Release* Update* rm cp mb sync',
      ),
    ],
    because: 'It changes a cloud account.',
    instead: 'Read the state, and ask a person to make the change.',
    hits: ['aliyun ecs DeleteInstance --InstanceId i', 'tccli cvm TerminateInstances --InstanceIds x'],
    misses: ['aliyun ecs DescribeInstances', 'tccli cvm DescribeInstances'],
  }),
  ask({
    name: 'hub-change',
    program: ['hub'],
    args: [['pull-request', 'create', 'fork', 'delete', 'release', 'issue', 'gist', 'api']],
    because: 'It changes a forge (such as GitHub) where others see it.',
    instead: 'Write the text to a local file, and ask a person to submit it.',
    hits: ['hub release create v1.0', 'hub pull-request -m x', 'hub api -X DELETE repos/a/b'],
    misses: ['hub pr list', 'hub browse', 'hub release show v1.0', 'hub issue'],
  }),
]
