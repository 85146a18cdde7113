import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Programs that are recorded and then run: they change text or run their arguments. */
const REAL =
  'cat tr cut rev base64 base32 basenc xxd sed head tail sort uniq tee seq basename dirname xargs env timeout nice nohup find bash sh mkdir ln cp mv chmod touch stdbuf setsid sleep paste od flock fold nl expr comm printenv gzip gunzip grep install mktemp which'.split(
    ' ',
  )
/** Programs that are only recorded. */
const RECORDED =
  'rm ls git sudo curl wget dd nc docker mkfs.ext4 shutdown crontab make npm python3 node gcc ssh rsync wc date id uname whoami cmd cmd2 alpha beta gamma victim'.split(
    ' ',
  )

/** Replacements of programs that not every machine has, such as `xxd -r -p`. */
const STAND_INS: Readonly<Record<string, string>> = {
  xxd: `exec /usr/bin/perl -0777 -ne 's/\\s//g; print pack "H*", $_'\n`,
}

const SHIM = `#!/bin/sh
printf '%s\\037' "\${0##*/}" "$@" "$(printf '\\036')" >> "\${CORDON_ORACLE_LOG:-/mnt/out/current}"
`

const DRIVER = `
mkdir -p /tmp/home
for script in /mnt/in/s*; do
  name=\${script##*/}
  /bin/mkdir -p "/tmp/$name" && cd "/tmp/$name" || exit 1
  : > "/mnt/out/$name"; /bin/ln -sfn "/mnt/out/$name" /mnt/out/current
  /usr/bin/env -i HOME=/tmp/home PATH=/mnt/shims CORDON_ORACLE_LOG="/mnt/out/$name" /usr/bin/timeout -k 1 60 /bin/bash -c "$(/bin/cat "$script")" bash </dev/null >/dev/null 2>&1
  cd /
done
/bin/rm -f /mnt/out/current
`

/** Returns the argument vectors that bash executes for each script, in order. Runs in a sandbox with shims. */
export function executedBy(scripts: readonly string[]): readonly (readonly (readonly string[])[])[] {
  const dir = mkdtempSync(join(tmpdir(), 'cordon-oracle-'))
  try {
    for (const name of ['in', 'out', 'shims']) mkdirSync(join(dir, name))
    makeShims(join(dir, 'shims'))
    scripts.forEach((script, i) => {
      writeFileSync(join(dir, 'in', fileName(i)), script)
    })
    execFileSync('/usr/bin/bwrap', bwrapArguments(dir), { stdio: 'ignore', timeout: 600_000 })
    return scripts.map((_, i) => records(join(dir, 'out', fileName(i))))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const fileName = (i: number): string => `s${String(i).padStart(5, '0')}`

function makeShims(shims: string): void {
  for (const name of RECORDED) writeFileSync(join(shims, name), SHIM, { mode: 0o755 })
  for (const name of REAL) {
    const real = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find(existsSync)
    const run = real === undefined ? STAND_INS[name] : `exec ${real} "$@"\n`
    if (run !== undefined) writeFileSync(join(shims, name), `${SHIM}${run}`, { mode: 0o755 })
  }
  symlinkSync('rm', join(shims, 'unlinked'))
  chmodSync(shims, 0o755)
}

const bwrapArguments = (dir: string): string[] => [
  ...['--ro-bind', '/', '/', '--tmpfs', '/tmp', '--proc', '/proc', '--dev', '/dev'],
  ...['--tmpfs', '/mnt'],
  ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
  ...['--tmpfs', '/root', '--tmpfs', '/home'],
  ...boundAt(dir),
  ...['--', '/bin/bash', '-c', DRIVER],
]

/** The root is read-only, so the three paths are on a new file system over an existing directory. */
const boundAt = (dir: string): string[] => [
  ...['--ro-bind', join(dir, 'in'), '/mnt/in'],
  ...['--bind', join(dir, 'out'), '/mnt/out'],
  ...['--ro-bind', join(dir, 'shims'), '/mnt/shims'],
]

function records(file: string): readonly (readonly string[])[] {
  return readFileSync(file, 'utf8')
    .split('\u001e\u001f')
    .filter((record) => record !== '')
    .map((record) => record.split('\u001f').slice(0, -1))
}
