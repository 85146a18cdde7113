import type { Arg } from './knowledge.js'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/**
 * Known programs that do their work through others, not always the same: compilers and their passes, scripts of the system, clients
 * that look for their settings, wrappers that choose a version.
 */
const STARTERS = names(
  `gcc g++ cc c++ c89 c99 gfortran clang clang++ gccgo gdc gnat ld.bfd collect2 ar rustc cargo go ghc javac swiftc zig nvcc tcc
  libtool autoconf autoreconf automake aclocal autoheader configure cmake meson ninja ccache distcc mpicc mpic++
  gcloud gsutil bq az aws eksctl kubectl helm kustomize terraform tofu terragrunt packer vagrant ansible pulumi
  npm npx yarn pnpm pnpx corepack bun bunx node-gyp gem bundle bundler rake irb pod pip pip3 pipx poetry uv conda mamba composer cpan cpanm
  luarocks opam stack cabal mix rebar3 sbt mvn gradle ant lein brew snap flatpak nix nix-env nix-shell guix
  apt apt-get apt-cache apt-mark apt-key apt-file apt-add-repository aptitude dpkg dpkg-query dpkg-deb dpkg-reconfigure dpkg-buildpackage
  rpm yum dnf zypper pacman yay makepkg apk emerge xbps-install update-alternatives update-rc.d invoke-rc.d service systemctl
  psql pg_dump pg_dumpall pg_restore pg_config pg_ctl pg_ctlcluster pg_lsclusters createdb dropdb createuser dropuser initdb vacuumdb
  mysql mysqldump mysqld_safe mysql_secure_installation mongosh redis-cli
  man apropos whatis info perldoc lsb_release ldd tzselect kernel-install mkinitramfs update-initramfs update-grub grub-install
  xdg-open xdg-mime xdg-settings xdg-email sensible-browser sensible-editor sensible-pager select-editor run-parts savelog ssh-copy-id
  parallel sem niceload scp sftp rsync ssh git-lfs hub gh glab hg svn bzr
  docker docker-compose podman buildah skopeo nerdctl lxc incus virsh qemu-system-x86_64 multipass minikube kind k3s k3d
  latex pdflatex xelatex lualatex latexmk texi2pdf texi2dvi bibtex pandoc sphinx-build mkdocs doxygen convert magick ffmpeg dot
  vim nvim emacs less lesspipe most adduser addgroup deluser delgroup useradd gpg gpg2 openssl wine xvfb-run startx strip
  chkconfig ufw iptables-apply mount umount fsck crontab at batch logrotate debootstrap mktexlsr fc-cache python3-config
  pre-commit tox nox pytest playwright cypress webpack vite tsc eslint prettier jest vitest ng vue-cli-service next nuxt gatsby expo
  heroku vercel netlify firebase serverless wrangler fly flyctl doctl hcloud eb sam cdk
  which-pkg-broke reportbug bashbug perlbug x11vnc yq zipcloak unp dtrx atool aunpack apack als patool tldr cheat kernelstub`,
)

/** Commands of git that are programs of their own, or start some: transports, hooks of every kind, and the scripts it still has. */
const GIT = names(
  `add--interactive am annex archimport archive bisect bundle citool clone commit credential cvsexportcommit cvsimport cvsserver daemon
  difftool fast-import fetch filter-branch filter-repo flow gc gui help http-fetch http-push imap-send instaweb lfs ls-remote maintenance
  merge merge-index merge-octopus merge-one-file merge-resolve mergetool multi-pack-index p4 prune pull push quiltimport rebase
  receive-pack remote repack request-pull send-email send-pack sh-i18n shell stash submodule subtree svn upload-archive upload-pack
  web--browse whatchanged worktree gitk`,
)

const isValueOption = (text: string): boolean => /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(text)

/** Does a known program of this name start others that cannot be told beforehand? Null: it depends on its subcommand. */
export const isStarter = (base: string): boolean | null => (base === 'git' ? null : STARTERS.has(base))

/** Does git, with these arguments? */
export function gitStartsOthers(argv: readonly Arg[]): boolean {
  for (let i = 1; i < argv.length; i++) {
    const text = argv[i]?.text ?? ''
    if (!text.startsWith('-')) return GIT.has(text)
    if (isValueOption(text)) i++
  }
  return false
}
