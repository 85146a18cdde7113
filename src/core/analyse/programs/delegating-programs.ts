/** Listed programs that start unlisted ones: compressor scripts, compilers, clients that search for settings. */
export const DELEGATING: ReadonlySet<string> = new Set(
  `gcc g++ cc c++ c89 c99 gfortran clang clang++ rustc cargo go javac ar ccache zcat gunzip uncompress zgrep zdiff zcmp zless zmore bzgrep
  bzdiff bzcmp bzless bzmore xzgrep xzdiff xzcmp xzless xzmore zstdgrep zstdless zipgrep egrep fgrep sdiff diff3 tar script parallel sem
  niceload ag man apropos whatis ldd run-parts ssh-copy-id scp sftp rsync gcloud gsutil az aws kubectl helm terraform docker podman gh npm
  npx yarn pnpm pip pip3 pipx poetry uv conda gem bundle composer apt apt-get apt-cache apt-mark dpkg rpm yum dnf pacman brew snap psql
  pg_dump mysql mysqldump mongosh vim nvim emacs less adduser deluser useradd mount umount crontab xdg-open yq`.split(
    /\s+/,
  ),
)
