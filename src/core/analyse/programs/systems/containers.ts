import type { Family, Grammar } from '../grammar/roles.js'
import { containerMounts, entrypoint, imageProgram, podCommand } from './container-effects.js'

const PLAIN: Grammar = { unlisted: 'ignore' }
const ASKS: Grammar = { writesOnlyNamedPaths: true }
const BUILDS: Grammar = {
  values: {
    '-f --file --iidfile --metadata-file': 'read',
    '-o --output': 'text',
    '-t --tag --build-arg --build-context --label --target --platform --progress --network --secret --ssh --cache-from --cache-to --add-host --builder --memory -m --ulimit --shm-size --isolation --allow':
      'text',
  },
  rest: 'remote',
  foreign: 'the steps of an image',
}
const RUN: Grammar = {
  flags:
    '-d --detach --disable-content-trust --help --init -i --interactive --no-healthcheck --oom-kill-disable --privileged -P --publish-all -q --quiet --read-only --rm --sig-proxy -t --tty --replace --no-hosts --no-hostname --rmi --rootfs --tls-verify --http-proxy --env-host --use-aliases --read-only-tmpfs --passwd',
  values: {
    '-a --attach --add-host --annotation --authfile --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cgroups --conmon-pidfile --cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems --creds --detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns --dns-option --dns-opt --dns-search --domainname -e --env --expose --gpus --group-add --health-interval --health-retries --health-start-interval --health-start-period --health-timeout --hostuser -h --hostname --image-volume --ip --ip6 --ipc --isolation --kernel-memory -l --label --link --link-local-ip --log-driver --log-opt --mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --mount --name --network --net --network-alias --net-alias --oom-score-adj --os --arch --variant --personality --pid --pidfile --pids-limit --platform --pod -p --publish --pull --requires --restart --runtime --secret --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --subgidname --subuidname --sysctl --systemd --timeout --tmpfs --tz --uidmap --gidmap --ulimit --umask --unsetenv -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir --shell --cidfile':
      'text',
    '--env-file --label-file': 'read',
    '--entrypoint': 'text',
    '--health-cmd': 'shell',
  },
  operands: ['text', 'command'],
  foreign: 'the program in an image',
  effects: (call) => [...containerMounts(call), ...imageProgram(call), ...entrypoint(call)],
}
const EXEC: Grammar = {
  flags: '-d --detach -i --interactive -t --tty --privileged -T --no-TTY --no-tty -l --latest --help',
  values: { '--detach-keys -e --env -u --user -w --workdir --index --preserve-fds': 'text', '--env-file': 'read' },
  operands: ['text', 'command'],
}
const COMPOSE: Grammar = {
  values: {
    '-f --file --env-file': 'read',
    '--project-directory': 'cwd',
    '-p --project-name --profile --parallel --ansi --progress -H --host -c --context --log-level': 'text',
  },
  subcommands: {
    exec: EXEC,
    run: {
      flags:
        '--build -d --detach -i --interactive --no-deps -T --no-TTY -P --service-ports --quiet-pull --remove-orphans --rm --use-aliases --no-tty -q --quiet',
      values: {
        '--cap-add --cap-drop -e --env -l --label --name -p --publish --pull -u --user -v --volume -w --workdir':
          'text',
        '--entrypoint': 'text',
        '--env-from-file': 'read',
      },
      operands: ['text', 'command'],
      foreign: 'the program in an image',
      effects: (call) => [...containerMounts(call), ...entrypoint(call)],
    },
    'ps,ls,logs,config,convert,top,port,events,images,version,stats,volumes,attach': ASKS,
    'up,build,create,start,restart,watch,pull,push,publish,scale': { foreign: 'the services of the project' },
    '*': PLAIN,
  },
}

/** Container engines and clusters. */
export const containers: Family = [
  {
    names: 'docker podman nerdctl finch podman-remote',
    flags: '--tls',
    values: {
      '-H --host --url': 'text',
      '-c --context --connection -l --log-level --namespace --runtime --root --runroot --cgroup-manager --storage-driver':
        'text',
      '--config --tlscacert --tlscert --tlskey --identity --hooks-dir': 'read',
    },
    writesOnlyNamedPaths: true,
    subcommands: {
      'run,create': RUN,
      exec: EXEC,
      container: {
        subcommands: { 'run,create': RUN, exec: EXEC, 'ls,list,ps,inspect,logs,top,stats,port,diff': ASKS, '*': PLAIN },
      },
      compose: COMPOSE,
      'build,builder': BUILDS,
      'buildx,image,manifest': { subcommands: { 'build,bake': BUILDS, 'ls,list,inspect,history': ASKS, '*': PLAIN } },
      'ps,images,logs,inspect,top,stats,port,diff,version,info,events,history,search,context,attach,wait': ASKS,
      'save,export': { values: { '-o --output': 'write' }, rest: 'text' },
      'load,import': { values: { '-i --input': 'read', '-c --change -m --message': 'text' }, operands: ['read'] },
      cp: { operands: ['remote', 'remote-write'] },
      unshare: { operands: ['command'], unlisted: 'unknown' },
      machine: { subcommands: { ssh: { permute: false, foreign: 'a program on another machine' }, '*': PLAIN } },
      'service,plugin,stack': { foreign: 'services of the swarm', permute: false },
      '*': PLAIN,
    },
  },
  { names: 'docker-compose podman-compose', ...COMPOSE },
  {
    names: 'buildah',
    subcommands: {
      run: { ...RUN },
      'bud,build': BUILDS,
      unshare: { operands: ['command'], unlisted: 'unknown' },
      '*': PLAIN,
    },
  },
  { names: 'skopeo dive hadolint trivy grype syft ctop lazydocker crane oras kaniko slim img' },
  {
    names: 'crictl ctr runc crun containerd youki',
    subcommands: {
      exec: {
        flags: '-i -t --tty -s --sync -d',
        values: { '-e --env -u --user --cwd --pid-file --process --exec-id': 'text' },
        operands: ['text', 'command'],
        unlisted: 'foreign',
      },
      '*': { foreign: 'containers' },
    },
  },
  { names: 'lxc incus', subcommands: { exec: { permute: false, effects: podCommand }, '*': PLAIN } },
  {
    names: 'distrobox toolbox apptainer singularity udocker enroot',
    subcommands: {
      'enter,run,exec,start,shell': {
        values: { '-n --name -c --container -r --release -B --bind': 'text' },
        permute: false,
        foreign: 'the program in an image',
        effects: podCommand,
      },
      '*': PLAIN,
    },
  },
]
