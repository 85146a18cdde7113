import { known } from '../grammar/arguments.js'
import { after, nameOf, runsShell } from '../grammar/effect-builders.js'
import type { Call, Effect, Family, Grammar } from '../grammar/roles.js'
import { ansibleModule, podCommand } from './container-effects.js'

const PLAIN: Grammar = { unlisted: 'ignore' }
/** `cp a b gs://bucket`, `rsync gs://bucket dir`: writes the last operand, remote or local. */
const COPIES: Grammar = { rest: 'remote', last: 'remote-write' }

/** `vercel` without a subcommand deploys the directory. */
function bareDeploy(call: Call): readonly Effect[] {
  const [program] = call.argv
  if (!program || call.operands.length > 0 || call.has('-h', '--help', '-v', '--version')) return []
  return [{ does: 'run', argv: [program, known('deploy', program.span)], via: nameOf(call) }]
}

/** Command lines of clouds, forges and deployment services. */
export const cloud: Family = [
  {
    names: 'aws awslocal',
    values: {
      '--profile --region --output --query --endpoint-url --color --cli-read-timeout': 'text',
      '--ca-bundle': 'read',
    },
    subcommands: {
      s3: {
        subcommands: {
          'cp,mv,sync': {
            values: {
              '--exclude --include --acl --storage-class --sse --content-type --cache-control --metadata': 'text',
            },
            operands: ['remote', 'remote-write'],
          },
          '*': PLAIN,
        },
      },
      '*': PLAIN,
    },
  },
  {
    names: 'gcloud gsutil bq',
    values: {
      '--project --account --configuration --format --zone --region --verbosity': 'text',
      '--flags-file': 'code-file',
    },
    unlisted: 'ignore',
    subcommands: {
      compute: {
        subcommands: {
          ssh: {
            values: { '--command': 'shell', '--zone --project --ssh-flag': 'text', '--ssh-key-file': 'read' },
            unlisted: 'ignore',
            effects: (call) => (call.argv.some((arg) => arg.text === '--') ? podCommand(call) : []),
          },
          '*': PLAIN,
        },
      },
      'cp,mv,rsync': COPIES,
      storage: { subcommands: { 'cp,mv,rsync': COPIES, '*': PLAIN } },
      '*': PLAIN,
    },
  },
  {
    names:
      'az azd func doctl linode-cli hcloud scw oci ibmcloud civo vultr-cli exo openstack nova glance neutron s3cmd s5cmd minio mcli b2 azcopy gcsfuse',
    values: { '--scripts --command-string': 'shell' },
    unlisted: 'ignore',
  },
  {
    names: 'gh hub glab tea',
    writesOnlyNamedPaths: true,
    values: { '-R --repo --hostname': 'text' },
    subcommands: {
      alias: {
        unlisted: 'ignore',
        subcommands: {
          set: {
            operands: ['text', 'text'],
            effects: (call) => {
              const [, value] = call.operands
              const command = value && (after(value, '!') ?? (call.has('-s', '--shell') ? value : null))
              return command ? [runsShell(command, 'gh alias')] : []
            },
            optional: { '-s --shell': 'text' },
          },
          '*': PLAIN,
        },
      },
      'codespace,cs': {
        subcommands: {
          ssh: {
            values: { '-c --codespace --profile --server-port': 'text' },
            permute: false,
            effects: (call) => (call.argv.some((arg) => arg.text === '--') ? podCommand(call) : []),
          },
          '*': PLAIN,
        },
      },
      config: PLAIN,
      'extension,extensions,ext': { foreign: 'an extension' },
      api: {
        values: {
          '-X --method -f --raw-field -F --field -H --header -q --jq -t --template --hostname --cache -p --preview':
            'text',
          '--input': 'read',
        },
      },
      'issue,pr,repo,run,workflow,release,gist,search,status,label,auth,browse,cache,secret,variable,ssh-key,gpg-key,org,project,ruleset,attestation,completion,help,version,mr,ci,job,pipeline,snippet,token,user,milestone':
        PLAIN,
      '*': { foreign: 'an alias or an extension' },
    },
  },
  {
    names: 'heroku flyctl fly railway render scalingo',
    subcommands: {
      'run,ssh,run:detached,ps:exec,exec,shell': {
        values: { '-a --app -c --config -s --size': 'text', '-C --command': 'shell' },
        operands: ['shell-rest'],
        foreign: 'a command on another machine',
        unlisted: 'ignore',
      },
      '*': PLAIN,
    },
  },
  {
    names: 'vercel now vc',
    flags: '-h --help -v --version -y -d -f --force',
    values: {
      '-t --token -S --scope -A --local-config -Q --global-config -b --build-env -e --env -m --meta': 'text',
      '--cwd': 'cwd',
    },
    foreign: 'builds and settings of the project',
    effects: bareDeploy,
  },
  {
    names: 'terraform tofu opentofu terragrunt',
    values: { '-chdir': 'cwd' },
    style: 'single-dash',
    writesOnlyNamedPaths: true,
    subcommands: {
      'fmt,version,show,graph,output,providers,validate,help,-help': { unlisted: 'ignore' },
      '*': {
        values: {
          '-out -state-out -backup': 'write',
          '-var-file -state -backend-config -plugin-dir': 'read',
          '-var -target -lock-timeout -parallelism': 'text',
        },
        style: 'single-dash',
        foreign: 'providers and provisioners of the project',
      },
    },
  },
  {
    names: 'ansible',
    values: {
      '-m --module-name -a --args -e --extra-vars -f --forks -l --limit -t --tree -u --user --become-user --become-method -B --background -P --poll -c --connection -T --timeout':
        'text',
      '-i --inventory -M --module-path --private-key --key-file --vault-password-file --playbook-dir': 'code-file',
      '--ssh-common-args --ssh-extra-args --sftp-extra-args --scp-extra-args': 'text',
    },
    effects: ansibleModule,
    unlisted: 'ignore',
  },
]
