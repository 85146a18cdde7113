import { closeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { HelperProcess } from '../helper-process/helper-process.js'
import type { Argv } from '../helper-process/mount-namespace.js'
import { anonymousFile } from './anonymous-file.js'
import { helperOptions } from './inherited-descriptors.js'
import type { Service } from './servants.js'

/** One descriptor of a program to be started: its number there, and which of ours it opens afresh. */
export interface Passed {
  readonly as: number
  readonly ours: number
  readonly to: 'read' | 'write'
}

export interface Order {
  readonly argv: Argv
  readonly passed: readonly Passed[]
  /** On which of the program's descriptors it is told that everything is open: a line of JSON, before the program's own. */
  readonly status: number
  /** Files of control groups through which a process enters them. */
  readonly groups: readonly string[]
  /** Called when our descriptors are no longer needed: the program has its own, or will never start. */
  onHandedOver(): void
}

/** What the broker says on the status descriptor of a program just before it becomes that program. */
export const STARTED = 'broker-child'

/** Where a process that cannot become what was ordered says so. Above all that are handed over, and closed before them. */
const COMPLAINT_FD = 250
/** It starts what it was told to before it goes, and that takes milliseconds. */
const STUCK_MS = 10_000

/** Where orders come from. */
const ORDERS_FD = 251

/**
 * Reads numbers, each that of a descriptor of the engine's which reads as an order, and becomes what was ordered in a process of its
 * own. One such process waits for the next order ahead of it, since a fork takes as long as all the rest; when it says that it has one, or is gone, there
 * is another. Descriptors are opened through the engine's entry in /proc, so nothing has to be sent. That an engine which has changed its user
 * does not let: then it says nothing and goes. A process started in the background ignores some signals, and would hand that down. When
 * the engine is gone there is no order, the loop ends, and every wall dies with its parent.
 */
const SCRIPT = `
engine=$1
{ : <"/proc/$engine/fd/$2"; } || exit 1
echo ready
exec ${COMPLAINT_FD}>&1 >/dev/null ${ORDERS_FD}<&0 </dev/null
fail() { echo "$1" >&${COMPLAINT_FD}; exit 1; }
become() {
  local -a words
  local -i at last
  mapfile -d '' -t words <"/proc/$engine/fd/$1" || fail "$1"
  last=words[1]
  for ((at = 3; at < 3 + last; at += 1)); do printf 0 >"\${words[at]}" || fail "$1"; done
  last=words[2]
  eval "exec \${words[*]:at:last}" || fail "$1"
  at+=last
  printf '{"${STARTED}": %d}\n' "$BASHPID" >&"\${words[0]}"
  trap - INT QUIT
  exec ${COMPLAINT_FD}>&-
  exec "\${words[@]:at}"
}
await() { read -r order <&${ORDERS_FD} || exit 0; echo taken; exec >/dev/null ${ORDERS_FD}<&-; become "$order"; }
while read -r taken < <(await); do :; done
`

const arrow = { read: '<', write: '>' } as const

function textOf({ argv, passed, status, groups }: Order): string {
  // From above: bash keeps what the standard streams were at the first numbers that are free from 10 on, until it has opened all.
  const opened = [...passed]
    .sort((one, other) => other.as - one.as)
    .map(({ as, ours, to }) => `${as}${arrow[to]}/proc/$engine/fd/${ours}`)
  return [`${status}`, `${groups.length}`, `${opened.length}`, ...groups, ...opened, ...argv, ''].join('\0')
}

/**
 * A small process that starts programs for the engine. The engine's own spawn is a fork, which holds up its event loop for as long as
 * it takes to copy the tables of its memory: tens of milliseconds for a large heap. It ends with the engine, however that ends.
 */
export class Broker extends HelperProcess {
  readonly #pending = new Map<string, () => void>()

  constructor({ mark, inherited }: Service) {
    const words = [`${process.pid}`, `${inherited.nothing}`]
    const argv = ['/bin/bash', '--norc', '--noprofile', '-c', SCRIPT, 'cordon-broker', ...words] as const
    super(argv, helperOptions(mark, inherited))
  }

  /** The order is carried out in the background. `open` gives our end of the status descriptor, which nobody has to wait for. */
  start(order: Order, open: () => Socket): Socket {
    const file = anonymousFile(Buffer.from(textOf(order)))
    const handOver = (): void => {
      // Its number may be another order's by now.
      if (this.#pending.get(`${file}`) !== handOver) return
      this.#pending.delete(`${file}`)
      closeSync(file)
      order.onHandedOver()
    }
    this.#pending.set(`${file}`, handOver)
    const { isUp } = this
    if (isUp) this.send(`${file}`)
    const status = open()
    status.once('data', handOver)
    status.once('close', handOver)
    if (!isUp) handOver()
    return status
  }

  override close(): Promise<void> {
    return super.close(STUCK_MS)
  }

  /** Each line names an order that came to nothing: once our own copies are closed, its status tells. */
  protected override read(line: string): void {
    this.#pending.get(line)?.()
  }

  protected override ended(): void {
    for (const handOver of [...this.#pending.values()]) handOver()
  }
}
