import { openSync, readFileSync } from 'node:fs'
import { CordonError } from '../../../core/model/basics/errors.js'
import { HelperProcess } from '../../helper-process/helper-process.js'
import { inNewMounts } from '../../helper-process/mount-namespace.js'
import { helperScript } from '../../helper-scripts/helper-script.js'
import { type HelperSetup, helperOptions } from '../process/inherited-descriptors.js'
import { kernelFile } from '../process/read-kernel-file.js'

/**
 * Returns the command line prefix that starts bubblewrap in a mount namespace of its own, for unprivileged users.
 * Returns an empty prefix if the host does not share its mounts. Otherwise mounts that the host makes later would
 * appear in the sandbox, writable.
 */
export function privatePrefix(mountinfo: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly string[] {
  if (!/^(\S+ ){6}.*?\bshared:/m.test(mountinfo)) return []
  return ['/usr/bin/unshare', '--user', '--map-current-user', '--mount', '--propagation', 'private', '--']
}

interface Prepared {
  readonly hostMounts: string
  /** Process that holds the namespace. It ends early if the namespace could not be made. */
  readonly helper: HelperProcess
}

/**
 * Mount namespace in which a root engine starts bubblewrap. Devices are read-only, and mounts that the host makes later
 * do not appear. Cordon makes it again after the host's mounts have changed.
 */
export class PrivateMounts {
  readonly #setup: HelperSetup
  #prepared: Prepared | null = null
  /** Previous namespace, which sandboxes may still enter while they start. */
  #previous: Prepared | null = null
  #pid: number | null = null
  #hasOpened = false
  /** Command line prefix of bubblewrap, used if `pid` is null. */
  readonly prefix = process.geteuid?.() === 0 ? [] : privatePrefix()

  constructor(setup: HelperSetup) {
    this.#setup = setup
  }

  /** Process in the namespace, or null if there is none, as for unprivileged users. */
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
      'Cordon could not mount the devices read-only, so root could change them for the whole host. Check that `unshare --mount` works here.',
    )
  }

  /**
   * Opens a /dev/null whose mode cannot be changed. Returns null the second time, and for unprivileged users. The
   * caller closes it.
   */
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
    const { engineVariable, inherited } = this.#setup
    this.#prepared = {
      hostMounts,
      helper: new HelperProcess(inNewMounts(helperScript('hold-mounts.sh')), helperOptions(engineVariable, inherited)),
    }
  }
}
