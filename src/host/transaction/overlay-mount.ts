import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { shown } from './raw-path.js'

/** One directory as the command will see it: the real one below, everything it changes above. */
export interface Layer {
  readonly root: string
  readonly upper: string
  readonly work: string
  /** Where `list` and `staged` are; a descriptor on it is passed down, for it may lie beneath the mount. */
  readonly job: string
}

/** A mount namespace in which every layer is mounted over its root. It lasts as long as this process and this object. */
export interface MountedLayers {
  readonly pid: number
  /** Where the host sees the mounted tree of a layer. */
  view(layer: number): string
  /**
   * Copies the files named in the layer's `list` (NUL-separated, relative) to its `staged`: through the mount, which keeps
   * overlayfs's private attributes out of the copies, with all that `cp -a` keeps.
   */
  copyOut(layer: number): Promise<void>
  close(): void
}

/**
 * Mounts each layer, says so, then copies on request until its input ends. Names reach the mount options as descriptors: a colon, a
 * comma or a newline in a path means nothing there.
 */
const HOLDER = `
layers=$#
while [ "$layers" -gt 0 ]; do
  exec 3<"$1" 4<"$2" 5<"$3" || exit 1
  mount -t overlay cordon -o userxattr,lowerdir=/proc/self/fd/3,upperdir=/proc/self/fd/4,workdir=/proc/self/fd/5 "$1" || exit 1
  set -- "$@" "$1"; shift 3; layers=$((layers - 3))
done
exec 3<&- 4<&- 5<&-
echo ready
while read -r layer job; do
  eval "root=\\\${$((layer + 1))}"
  (cd "$root" && xargs -0 cp -a --parents --reflink=auto -t "/proc/self/fd/$job/staged" -- <"/proc/self/fd/$job/list") 2>&1
  echo "copied $?"
done
`
const FIRST_JOB = 10
const ENV = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

function start(layers: readonly Layer[]): ChildProcess {
  const user = process.geteuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const jobs = layers.map(({ job }) => openSync(job, constants.O_RDONLY | constants.O_DIRECTORY))
  try {
    const unused = Array.from({ length: FIRST_JOB - 3 }, () => 'ignore' as const)
    return spawn(
      'unshare',
      [...user, '--mount', '--propagation', 'private', '--', 'sh', '-c', HOLDER, 'sh'].concat(
        layers.flatMap(({ root, upper, work }) => [root, upper, work]),
      ),
      { stdio: ['pipe', 'pipe', 'pipe', ...unused, ...jobs], env: ENV, cwd: '/' },
    )
  } finally {
    for (const descriptor of jobs) closeSync(descriptor)
  }
}

/** Rejects with a plain sentence when this host will not mount it. */
export async function mountLayers(layers: readonly Layer[]): Promise<MountedLayers> {
  const child = start(layers)
  const talk = conversation(child)
  await talk.expect('ready')
  const { pid } = child
  if (pid === undefined) throw new Error('the mount namespace could not be started')
  return {
    pid,
    view: (layer) => `/proc/${pid}/root${layers[layer]?.root}`,
    async copyOut(layer) {
      child.stdin?.write(`${layer} ${FIRST_JOB + layer}\n`)
      await talk.expect('copied 0')
    },
    close: () => void child.stdin?.end(),
  }
}

/** Waits for one line of the holder at a time; its death, or another line, is a refusal that carries what it said. */
function conversation(child: ChildProcess): { expect(line: string): Promise<void> } {
  let said = ''
  let heard = ''
  let waiting: { readonly line: string; done(error?: Error): void } | null = null
  const settle = (gone: boolean): void => {
    const at = heard.lastIndexOf('\n', heard.length - 2)
    const last = heard.endsWith('\n') ? heard.slice(at + 1, -1) : ''
    if (!waiting || (!gone && last !== waiting.line && !/^copied \d+$/.test(last))) return
    const { line, done } = waiting
    waiting = null
    const complaint = shown(Buffer.from(`${said}${heard}`).toString('latin1')).trim()
    heard = ''
    done(last === line ? undefined : new Error(complaint || 'the mount namespace ended early'))
  }
  child.stdout?.on('data', (chunk) => {
    heard += chunk
    settle(false)
  })
  child.stderr?.on('data', (chunk) => {
    said += chunk
  })
  child.stdin?.on('error', () => {})
  child.on('error', (error) => {
    said += error.message
    settle(true)
  })
  child.on('close', () => settle(true))
  return {
    expect: (line) =>
      new Promise((resolve, reject) => {
        waiting = { line, done: (error) => (error ? reject(error) : resolve()) }
        if (child.exitCode !== null || child.signalCode !== null) settle(true)
      }),
  }
}
