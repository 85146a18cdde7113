import type { Family, Grammar } from './knowledge.js'
import { aptSettings, commandAfter, rpmMacros } from './package-hooks.js'

const ASKS: Grammar = { unlisted: 'ignore', contained: true }
const SCRIPTS: Grammar = { foreign: 'maintainer scripts and hooks', unlisted: 'ignore' }

/** Package managers of systems. What they install brings scripts along. */
export const systemPackages: Family = [
  {
    names:
      'apt apt-get apt-cache apt-mark apt-config aptitude apt-file apt-key apt-cdrom apt-ftparchive apt-listchanges nala apt-fast apt-rdepends',
    flags:
      '-q -y --yes --assume-yes --assume-no -s --simulate --dry-run --no-act -d --download-only -f --fix-broken -m --fix-missing -u -V --verbose-versions -b --build --no-install-recommends --install-recommends --install-suggests --reinstall --purge --auto-remove --autoremove --only-upgrade --no-upgrade --allow-downgrades --allow-unauthenticated --allow-change-held-packages --force-yes --no-download --trivial-only --ignore-hold --allow-releaseinfo-change --installed --upgradable --all-versions -a --manual-installed -v --verbose --full --names-only -n --recurse --no-all-versions --print-uris --diff-only --dsc-only --tar-only --arch-only --only-source --quiet -h --help --version --no-remove -i',
    values: {
      '-o --option -t --target-release --default-release -a --host-architecture -P --build-profiles -S --search':
        'text',
      '-c --config-file': 'code-file',
    },
    foreign: 'maintainer scripts and hooks',
    hook: aptSettings,
    unlisted: 'ignore',
  },
  {
    names:
      'add-apt-repository apt-add-repository software-properties-gtk unattended-upgrade do-release-upgrade tasksel deborphan debconf-show ppa-purge',
    ...SCRIPTS,
  },
  {
    names:
      'dpkg dpkg-deb dpkg-query dpkg-reconfigure dpkg-buildpackage debuild dpkg-source debsign pbuilder sbuild gdebi dpkg-divert dpkg-statoverride alien checkinstall',
    flags:
      '-i --install -r --remove -P --purge -l --list -L --listfiles -s --status -S --search -c --contents -I --info -x --extract -e --control -b --build --configure --unpack --audit --get-selections --print-architecture --force-all -R --recursive -V -C --help --version',
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
        { rest: 'text', contained: true, foreign: 'settings of its own' },
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
    hook: rpmMacros,
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
    names:
      'apk xbps-install xbps-remove xbps-query opkg ipkg emerge equery eix slackpkg installpkg upgradepkg removepkg swupd eopkg pkg pkg_add pkg_info pkgin port fink kiss cave sbopkg',
    ...SCRIPTS,
  },
  {
    names: 'brew linuxbrew',
    flags: '-v --verbose -q --quiet -d --debug -h --help --version --prefix --cellar --cache --env --repository',
    unlisted: 'ignore',
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
    unlisted: 'ignore',
    subcommands: {
      run: { values: { '--shell': 'text' }, operands: ['command'], foreign: 'a packaged program', unlisted: 'foreign' },
      'list,info,find,version,changes,connections,services': ASKS,
      '*': SCRIPTS,
    },
  },
  {
    names: 'flatpak flatpak-builder',
    unlisted: 'ignore',
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
    flags: '-v --verbose -L --print-build-logs --version --help --offline --refresh',
    values: { '--extra-experimental-features --experimental-features --option --store': 'text' },
    unlisted: 'ignore',
    subcommands: {
      'develop,shell': {
        values: { '-c --command': 'text', '--expr -f --file': 'code' },
        permute: false,
        foreign: 'a Nix expression',
        unlisted: 'ignore',
        hook: ({ argv, program }) => {
          const at = argv.findIndex((arg) => /^(?:-c|--command)$/.test(arg.text ?? ''))
          return at > 0 && at + 1 < argv.length ? [{ does: 'run', argv: argv.slice(at + 1), via: program }] : []
        },
      },
      'search,show-config,path-info,log,doctor,why-depends': ASKS,
      '*': { foreign: 'a Nix expression', unlisted: 'ignore' },
    },
  },
  {
    names: 'guix',
    unlisted: 'ignore',
    subcommands: {
      'shell,environment': {
        permute: false,
        foreign: 'a Guix environment',
        unlisted: 'ignore',
        hook: (call) => (call.argv.some((a) => a.text === '--') ? commandAfter(call, 0) : []),
      },
      '*': SCRIPTS,
    },
  },
  {
    names:
      'ldconfig update-alternatives update-initramfs update-grub grub-install grub-mkconfig mkinitcpio dracut dkms depmod',
    ...SCRIPTS,
  },
  { names: 'appimagetool appimage-run AppImageLauncher', foreign: 'a packaged program', unlisted: 'ignore' },
]
