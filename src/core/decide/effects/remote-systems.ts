import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

const PERSON = 'Read the state, and ask a person to make the change.'
const ENGINE = 'Use the local container engine, or ask a person to run it.'
const QUEUES = words(
  `kafka-topics kafka-topics.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-consumer-groups kafka-consumer-groups.sh
  kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions kafka-reassign-partitions.sh rpk kaf pulsar-admin`,
)

/** Effects on shared or remote systems: container engines, tunnels, queues, machines, backups. */
export const REMOTE_SYSTEM_EFFECTS: readonly Rule[] = [
  ask({
    name: 'container-host',
    program: words('docker podman nerdctl docker-compose'),
    args: [words('-H --host --url'), words('tcp://* ssh://*')],
    because: 'It acts on containers of another machine.',
    instead: ENGINE,
    hits: ['docker -H tcp://10.0.0.1:2375 ps', 'docker --host ssh://root@prod rm -f web'],
    misses: ['docker -H unix:///var/run/docker.sock ps', 'docker -H tcp://localhost:2375 ps', 'docker ps'],
  }),
  ask({
    name: 'container-context',
    program: words('docker podman nerdctl docker-compose'),
    args: [
      words(
        '-c -Htcp://* -Hssh://* -H=tcp://* -H=ssh://* --host=tcp://* --host=ssh://* --url=tcp://* --url=ssh://* --context --context=* --connection --connection=*',
      ),
    ],
    because: 'It acts on containers of another machine.',
    instead: ENGINE,
    hits: [
      'docker --host=tcp://10.0.0.1:2375 ps',
      'docker --context prod rm -f web',
      'docker --context=prod compose up',
    ],
    misses: ['docker --context default ps', 'docker --host=tcp://127.0.0.1:2375 ps', 'docker context ls'],
  }),
  ask({
    name: 'container-context-change',
    program: words('docker podman'),
    args: [['context', 'connection'], words('use update default add')],
    because: 'Later container commands would run on another machine.',
    instead: ENGINE,
    hits: ['docker context use prod', 'podman system connection default prod'],
    misses: ['docker context use default', 'docker context ls', 'docker context show'],
  }),
  ask({
    name: 'send-data',
    program: words('curl curlie wget wget2 http https httpie xh xhs'),
    args: [words('-* POST PUT PATCH DELETE post put patch delete *=* *@*')],
    because: 'It sends data to another machine, or changes something there.',
    instead: 'Fetch what you need, and ask a person to send data.',
    hits: [
      'curl -d @data.json https://example.com',
      'curl -sXDELETE https://example.com/users/1',
      'curl --upload-file x https://example.com',
      'curl -F file=@x https://example.com',
      'wget --post-file=x https://example.com',
      'http POST example.com a=b',
    ],
    misses: [
      'curl https://example.com',
      'curl -X GET https://example.com',
      'curl -sS -o x https://example.com',
      'curl -X POST -d a=b http://localhost:3000/login',
      'http example.com',
      'http POST :3000/login a=b',
    ],
  }),
  ask({
    name: 'tunnel',
    program: words(
      `ngrok cloudflared lt localtunnel zrok inlets chisel tmate upterm sshx teleconsole gs-netcat pagekite pagekite.py devtunnel
      holesail`,
    ),
    because: 'It makes this host reachable from other machines.',
    instead: 'Open it locally, on localhost.',
    hits: ['ngrok http 3000', 'cloudflared tunnel run x', 'npx localtunnel --port 3000', 'tmate'],
    misses: ['ngrok --version', 'curl localhost:3000'],
  }),
  ask({
    name: 'editor-tunnel',
    program: ['code', 'code-insiders'],
    args: ['tunnel'],
    because: 'It makes this host reachable from other machines.',
    instead: 'Open it locally, on localhost.',
    hits: ['code tunnel'],
    misses: ['code .', 'code --wait x', 'code tunnel.md'],
  }),
  ask({
    name: 'send-file',
    program: words('wormhole magic-wormhole onionshare onionshare-cli transfer transfer.sh bashupload'),
    args: [words('send upload ./* *.*')],
    because: 'It offers files to anyone who has the code.',
    instead: 'Keep the files local, and ask a person to send them.',
    hits: ['wormhole send .', 'wormhole send --code x f'],
    misses: ['wormhole --version', 'wormhole receive'],
  }),
  ask({
    name: 'queue-change',
    program: QUEUES,
    args: [
      words(
        '--delete --alter --add --remove --reset-offsets --delete-offsets --offset-json-file --execute delete rm purge clear terminate unload produce create',
      ),
    ],
    because: 'It changes message queues that others use.',
    instead: PERSON,
    hits: ['kafka-topics.sh --bootstrap-server k.example.com:9092 --delete --topic t', 'rpk topic delete t'],
    misses: [
      'kafka-topics.sh --bootstrap-server localhost:9092 --delete --topic t',
      'kafka-topics --bootstrap-server k.example.com:9092 --list',
    ],
  }),
  ask({
    name: 'queue-purge',
    program: words('rabbitmqctl rabbitmqadmin nats celery'),
    args: [
      words(
        'delete delete_* purge purge_* reset force_reset stop_app rm del forget_cluster_node set_* add_user change_password shutdown',
      ),
    ],
    because: 'It changes message queues that others use.',
    instead: PERSON,
    hits: ['rabbitmqctl delete_queue q', 'celery -A app purge -f', 'nats stream purge S -f'],
    misses: ['rabbitmqctl list_queues', 'celery -A app worker', 'nats stream ls'],
  }),
  ask({
    name: 'queue-send',
    program: words(
      'kafka-console-producer kafka-console-producer.sh kcat kafkacat mosquitto_pub nats rabbitmqadmin amqp-publish stomp pulsar-client',
    ),
    args: [words('-P -b* -h* -H* -s* --bootstrap-server* --broker-list* --server* --host* --url* -u*')],
    because: 'It sends a message to a queue on another machine.',
    instead: PERSON,
    hits: ['kcat -P -b k.example.com:9092 -t t', 'mosquitto_pub -h broker.example.com -t t -m x'],
    misses: ['kcat -L -b k.example.com:9092', 'mosquitto_pub -h localhost -t t -m x', 'kcat -P -b localhost:9092 -t t'],
  }),
  ask({
    name: 'message',
    program: words('slack slack-cli telegram-send twilio ntfy himalaya'),
    args: [
      words(
        'send deploy publish write reply forward *:create *:send *:update *:remove *:buy:* -c --channel* -m --message*',
      ),
    ],
    because: 'It sends a message, or buys or changes a service.',
    instead: 'Write the text to a file, and ask a person to send it.',
    hits: ['slack chat send hi', 'twilio api:core:messages:create --to x --body y', 'ntfy publish t hi'],
    misses: ['slack version', 'twilio profiles:list', 'ntfy subscribe t'],
  }),
  ask({
    name: 'account-change',
    program: words('stripe jira acli linear sentry-cli datadog-ci snyk newrelic pagerduty pd opsgenie'),
    args: [
      words(
        `create update delete cancel confirm capture refund pay post edit move assign comment transition close clone link upload new finalize
        set-commits send-event upload-* mark ack resolve monitor --live`,
      ),
    ],
    because: 'It changes an account that others use.',
    instead: PERSON,
    hits: ['stripe refunds create --charge ch_1', 'jira issue create', 'sentry-cli releases new 1.0'],
    misses: ['stripe listen --forward-to localhost:3000', 'jira issue list', 'sentry-cli info', 'snyk test'],
  }),
  ask({
    name: 'virtual-machine',
    program: words('virsh vboxmanage vagrant multipass lxc incus limactl colima orb prlctl vmrun qm pct govc tart'),
    args: [
      words(
        `destroy undefine unregistervm delete purge shutdown reboot reset poweroff controlvm closemedium rm vm.destroy vm.power vm.clone
        vol-delete pool-delete pool-destroy net-destroy snapshot-delete snapshot-revert deleteVM migrate device.remove`,
      ),
    ],
    because: 'It stops or removes a virtual machine and its data.',
    instead: PERSON,
    hits: ['virsh undefine vm --remove-all-storage', 'vagrant destroy -f', 'multipass delete --all', 'lxc delete -f c'],
    misses: ['virsh list --all', 'vagrant up', 'vagrant status', 'multipass list', 'lxc list'],
  }),
  ask({
    name: 'backup-removal',
    program: words('restic borg kopia duplicity rdiff-backup bup tarsnap rustic'),
    args: [
      words('forget prune delete unlock rewrite compact recreate remove-* --remove-older-than* rm -d --nuke expire'),
    ],
    because: 'It removes backups, which Cordon cannot restore.',
    instead: PERSON,
    hits: ['restic forget --keep-last 1 --prune', 'borg delete repo'],
    misses: ['restic snapshots', 'borg list repo', 'restic backup src'],
  }),
  ask({
    name: 'nix-deploy',
    program: ['nix'],
    args: [
      ['run', 'copy', 'develop', 'shell'],
      words(
        '*#*deploy* *#*publish* *#*release* *#*push* *deploy-rs* *nixos-anywhere* *#nixos-rebuild *colmena* deploy deploy-* publish --to --to=*',
      ),
    ],
    because: 'Its name says that it publishes or deploys.',
    instead: 'Build it, and ask a person to deploy it.',
    hits: ['nix run .#deploy', 'nix run github:a/b -- deploy', 'nix copy --to ssh://host ./result'],
    misses: [
      'nix run nixpkgs#hello',
      'nix build .#app',
      'nix run . -- --help',
      'nix copy --from https://example.com x',
    ],
  }),
  ask({
    name: 'system-generation',
    program: words(
      'nixos-rebuild darwin-rebuild home-manager colmena nixops morph cachix attic deploy-rs nix-collect-garbage guix',
    ),
    args: [
      words(
        'switch boot test apply apply-local exec upload-keys deploy destroy reboot push push-secrets upload-secrets watch-exec watch-store pin -d --delete-old* . .#* reconfigure --rollback',
      ),
    ],
    because: 'It changes the system configuration of this host or of others, or the cache they fetch from.',
    instead: 'Build it, and ask a person to switch to it.',
    hits: ['nixos-rebuild switch', 'colmena apply', 'cachix push cache result', 'home-manager switch'],
    misses: ['nixos-rebuild build', 'colmena build', 'home-manager generations', 'nix-collect-garbage'],
  }),
  ask({
    name: 'converge',
    program: words('chef-client chef-solo ansible-pull cf-agent salt-call'),
    because: 'It applies a system configuration to the host.',
    instead: 'Read the configuration, and ask a person to apply it.',
    hits: ['chef-client', 'salt-call state.apply', 'ansible-pull -U https://example.com/x'],
    misses: ['chef-client --version', 'knife node list', 'echo chef-client'],
  }),
  ask({
    name: 'script-deploy',
    program: words(
      'deploy deploy.sh deploy-*.sh deploy_*.sh *-deploy.sh publish.sh publish-*.sh deploy.py deploy.js deploy.ts deploy.rb',
    ),
    because: 'Its name says that it publishes or deploys.',
    instead: 'Build it, and ask a person to deploy it.',
    hits: ['./deploy.sh production', 'scripts/deploy-prod.sh', 'bin/deploy'],
    misses: ['./build.sh', 'cat deploy.sh', 'shellcheck deploy.sh', './deploy.sh --help'],
  }),
  ask({
    name: 'interpreted-deploy',
    program: words('bash sh zsh dash python python3 node tsx ts-node ruby php perl pwsh'),
    args: [
      words(
        'deploy.sh */deploy.sh deploy-*.sh */deploy-*.sh publish.sh */publish.sh deploy.py */deploy.py deploy.js */deploy.js deploy.ts */deploy.ts */deploy.rb */deploy.ps1',
      ),
    ],
    because: 'Its name says that it publishes or deploys.',
    instead: 'Build it, and ask a person to deploy it.',
    hits: ['bash deploy.sh prod', 'python scripts/deploy.py', 'node ./deploy.js'],
    misses: ['bash build.sh', 'bash -n deploy.sh', 'python -m py_compile deploy.py', 'python test_deploy.py'],
  }),
]
