import { randomInt, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HelperProcess } from '../helper-process/helper-process.js'
import { groupOf } from './process-tree.js'

/** The variable by which everything an engine started can be recognised, in /proc/<pid>/environ. */
const MARK_NAME = 'CORDON_ENGINE'
/** Digits of a tag that are the engine's and the command's own. Together they are a number RLIMIT_RTTIME can hold. */
const ENGINE_DIGITS = 10
const TASK_DIGITS = 8

/**
 * Waits on a pipe that closes when the engine dies, however it dies, and then kills everything that carries its mark or a tag of its
 * commands. The pipe is open as long as a process is that was forked and is not yet the program it will be, so all have their marks by
 * then. Told `bye`, it goes quietly. It looks again for a while: a process can fork between being listed and being killed. A group
 * dies at once, however fast it forks; the engine's own group is not ours to kill. Last it removes what the engine could not.
 */
const SCRIPT = `
mark=$1 tag=$2 directory=$3 engine=$4 group=$5
IFS= read -r word
[[ $word == bye ]] && exit 0
quiet=0
while ((quiet < 10)); do
  quiet=$((quiet + 1))
  for file in $(grep -lszxF -- "$mark" /proc/[0-9]*/environ; grep -lsE -- "^Max realtime timeout +$tag" /proc/[0-9]*/limits); do
    pid=\${file#/proc/} pid=\${pid%/*}
    IFS= read -r stat < "/proc/$pid/stat" || continue
    read -r state parent own more <<< "\${stat##*) }"
    [[ $state == Z ]] && continue
    quiet=0
    [[ $own -gt 1 && $own != "$group" ]] && kill -KILL -- "-$own"
    kill -KILL "$pid"
  done
  sleep 0.03
done 2>/dev/null
rm -rf -- "$directory" "$directory-masks"
find /sys/fs/cgroup -depth -type d -name "cordon-$engine-*" -exec rmdir -- {} + 2>/dev/null
`

/** One small process per launcher, started before the first command, so that even kill -9 of the engine leaves nothing running. */
export class Watchdog {
  readonly mark: readonly [string, string] = [MARK_NAME, randomUUID()]
  /** A place for what lasts a moment; it is removed with whatever is in it when the engine dies. */
  readonly directory = join(tmpdir(), `cordon-${this.mark[1]}`)
  readonly #tag = `${randomInt(10 ** (ENGINE_DIGITS - 1), 9 * 10 ** (ENGINE_DIGITS - 1))}`
  #tagged = 0
  #process: HelperProcess | null = null

  /** A number for the processes of one command; see `Mark`. */
  newTag(): string {
    this.#tagged = (this.#tagged + 1) % 10 ** TASK_DIGITS
    return this.#tag + `${this.#tagged}`.padStart(TASK_DIGITS, '0')
  }

  /** Started once; costs the second caller nothing. */
  start(): void {
    if (this.#process !== null) return
    const tags = `${this.#tag}[0-9]{${TASK_DIGITS}} `
    const words = [this.mark.join('='), tags, this.directory, `${process.pid}`, `${groupOf(process.pid) ?? ''}`]
    const argv = ['/bin/bash', '--norc', '--noprofile', '-c', SCRIPT, 'cordon-watchdog', ...words] as const
    this.#process = new HelperProcess(argv, { env: { PATH: '/usr/bin:/bin' } })
  }

  /** Everything is dead already. */
  async release(): Promise<void> {
    const helper = this.#process
    this.#process = null
    helper?.send('bye')
    await helper?.close()
  }
}
