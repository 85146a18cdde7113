import { openSync, readFileSync } from 'node:fs'
import { CordonError } from '../../core/model/errors.js'
import { HelperProcess } from '../helper-process/helper-process.js'
import { inNewMounts } from '../helper-process/mount-namespace.js'
import { helperOptions } from './inherited-descriptors.js'
import { kernelFile } from './kernel-file.js'
import type { Service } from './servants.js'

const SCRIPT = 'echo ready; read -r _'

/**
 * Command line prefix that starts bubblewrap in a mount namespace of its own, for unprivileged users. Empty if the host does not
 * share its mounts. Otherwise mounts made on the host later would appear in the sandbox, writable.
 */
export function privatePrefix(mountinfo: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly string[] {
  if (!/^(\S+ ){6}.*?\bshared:/m.test(mountinfo)) return []
  return ['/usr/bin/unshare', '--user', '--map-current-user', '--mount', '--propagation', 'private', '--']
}

interface Prepared {
  readonly hostMounts: string
  /** Holds the namespace; ends early if it could not be made. */
  readonly helper: HelperProcess
}

/**
 * The mount namespace in which an engine that is root starts bubblewrap: devices are read-only, and mounts made on the host later do
 * not appear. It is made again when the host's mounts have changed.
 */
export class PrivateMounts {
  readonly #service: Service
  #prepared: Prepared | null = null
  /** Sandboxes that are being started may still enter it. */
  #previous: Prepared | null = null
  #pid: number | null = null
  #hasOpened = false
  /** What comes before bubblewrap on the command line if `pid` is null. */
  readonly prefix = process.geteuid?.() === 0 ? [] : privatePrefix()

  constructor(service: Service) {
    this.#service = service
  }

  /** A process in the namespace; null where there is none, as for unprivileged users. */
  get pid(): number | null {
    return this.#pid
  }

  /** Makes the namespace ready. Throws SANDBOX_UNAVAILABLE if that fails. */
  async prepare(): Promise<void> {
    if (process.geteuid?.() !== 0) return
    const hostMounts = kernelFile('/proc/self/mountinfo')
    if (this.#prepared?.hostMounts !== hostMounts || this.#prepared.helper.hasDied) this.#make(hostMounts)
    const prepared = this.#prepared
    this.#pid = (await prepared?.helper.ready) ? (prepared?.helper.pid ?? null) : null
    if (this.#pid !== null) return
    if (this.#prepared === prepared) this.#prepared = null
    throw new CordonError(
      'SANDBOX_UNAVAILABLE',
      'The devices could not be made read-only for the sandbox, and root could change them for the whole host. Check that `unshare --mount` works here.',
    )
  }

  /** Opens a /dev/null whose mode cannot be changed. Null the second time, and for unprivileged users. The caller closes it. */
  openDevNull(): number | null {
    if (this.#pid === null || this.#hasOpened) return null
    this.#hasOpened = true
    return openSync(`/proc/${this.#pid}/root/dev/null`, 'r')
  }

  async close(): Promise<void> {
    await Promise.all([this.#previous, this.#prepared].map((one) => one?.helper.close()))
  }

  #make(hostMounts: string): void {
    void this.#previous?.helper.close()
    this.#previous = this.#prepared
    const { mark, inherited } = this.#service
    this.#prepared = { hostMounts, helper: new HelperProcess(inNewMounts(SCRIPT), helperOptions(mark, inherited)) }
  }
}
