import type { Family, Grammar } from '../grammar/roles.js'
import { aptSettings, commandAfter, rpmMacros } from './package-effects.js'

const ASKS: Grammar = { writesOnlyNamedPaths: true }
const SCRIPTS: Grammar = { foreign: 'maintainer scripts and hooks' }

/** Package managers of systems. Packages contain scripts. */
export const systemPackages: Family = [
  {
    names:
      'apt apt-get apt-cache apt-mark apt-config aptitude apt-file apt-key apt-cdrom apt-ftparchive apt-listchanges nala apt-fast apt-rdepends',
    values: {
      '-o --option -t --target-release --default-release -a --host-architecture -P --build-profiles -S --search':
        'text',
      '-c --config-file': 'code-file',
    },
    foreign: 'maintainer scripts and hooks',
    effects: aptSettings,
    unlisted: 'ignore',
  },
  {
    names:
      'dpkg dpkg-deb dpkg-query dpkg-reconfigure dpkg-buildpackage debuild dpkg-source debsign pbuilder sbuild gdebi dpkg-divert dpkg-statoverride alien checkinstall',
    flags:
      '-l --list -L --listfiles -s --status -S --search -c --contents -I --info --get-selections --print-architecture --help --version',
    values: {
      '--admindir --root --instdir': 'write-tree',
      '-D --debug --log': 'text',
      '--pre-invoke --post-invoke --status-logger --hook --check-command --sign-command -p --sanitize-env-command':
        'shell',
      '--force-hooks-from': 'code-file',
    },
    rest: 'text',
    foreign: 'maintainer scripts and hooks',
    when: {
      '-l --list -L --listfiles -s --status -S --search -c --contents -I --info --print-architecture --get-selections --help --version -W --show':
        { writesOnlyNamedPaths: true, foreign: 'its settings' },
    },
    unlisted: 'ignore',
  },
  {
    names: 'rpm rpmbuild rpmspec rpm2cpio rpmkeys rpmquery rpmdb rpmverify',
    values: {
      '-E --eval': 'text',
      '--define -D': 'text',
      '--pipe': 'shell',
      '--rcfile --macros --load': 'code-file',
      '--root --dbpath --prefix': 'write-tree',
    },
    foreign: 'scriptlets and macros',
    effects: rpmMacros,
    unlisted: 'ignore',
  },
  {
    names: 'yum dnf dnf5 microdnf tdnf zypper urpmi rpm-ostree transactional-update',
    values: {
      '-c --config': 'code-file',
      '--setopt --installroot -x --exclude --enablerepo --disablerepo --repo --releasever': 'text',
    },
    foreign: 'maintainer scripts and plugins',
    unlisted: 'ignore',
  },
  {
    names: 'pacman yay paru makepkg pamac trizen pikaur aura paccache pacstrap',
    values: {
      '--config --hookdir': 'code-file',
      '-r --root -b --dbpath --cachedir --gpgdir': 'write-tree',
      '--editor --pager --sudo --git --gpg --makepkg --pacman': 'program',
    },
    foreign: 'install scripts and hooks',
    unlisted: 'ignore',
  },
  {
    names: 'brew linuxbrew',
    subcommands: {
      'list,ls,info,search,deps,uses,outdated,doctor,config,log,leaves,desc,home,cat,tap-info,commands,help': ASKS,
      sh: { values: { '-c --cmd': 'shell' }, foreign: 'an interactive shell' },
      ruby: { values: { '-e': 'code' }, foreign: 'a Ruby program' },
      exec: { operands: ['command'], unlisted: 'foreign' },
      '*': SCRIPTS,
    },
  },
  {
    names: 'snap',
    subcommands: {
      run: { values: { '--shell': 'text' }, operands: ['command'], foreign: 'a packaged program', unlisted: 'foreign' },
      'list,info,find,version,changes,connections,services': ASKS,
      '*': SCRIPTS,
    },
  },
  {
    names: 'flatpak flatpak-builder',
    subcommands: {
      run: {
        values: { '--command': 'program', '--filesystem --env --branch --arch': 'text' },
        foreign: 'a packaged program',
        unlisted: 'ignore',
      },
      'list,info,search,remotes,history,ps': ASKS,
      '*': SCRIPTS,
    },
  },
  {
    names:
      'nix-shell nix-build nix-env nix-instantiate nix-store nix-channel nix-collect-garbage nix-prefetch-url nixos-rebuild home-manager darwin-rebuild nix-index nix-copy-closure nixos-generate-config',
    values: {
      '--run --command': 'shell',
      '-i': 'program',
      '-E --expr': 'code',
      '-p --packages -A --attr -f --file -I --arg --argstr': 'text',
    },
    rest: 'text',
    foreign: 'a Nix expression',
    unlisted: 'ignore',
  },
  {
    names: 'nix',
    values: { '--extra-experimental-features --experimental-features --option --store': 'text' },
    subcommands: {
      'develop,shell': {
        values: { '-c --command': 'text', '--expr -f --file': 'code' },
        permute: false,
        foreign: 'a Nix expression',
        unlisted: 'ignore',
        effects: ({ argv, program }) => {
          const at = argv.findIndex((arg) => /^(?:-c|--command)$/.test(arg.text ?? ''))
          return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: program }] : []
        },
      },
      'search,show-config,path-info,log,doctor,why-depends': ASKS,
      '*': { foreign: 'a Nix expression' },
    },
  },
  {
    names: 'guix',
    subcommands: {
      'shell,environment': {
        permute: false,
        foreign: 'a Guix environment',
        effects: (call) => (call.argv.some((a) => a.text === '--') ? commandAfter(call, 0) : []),
      },
      '*': SCRIPTS,
    },
  },
]
