import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import type { Capabilities } from '../../core/model/policy/plan.js'
import { cgroupTrees } from './limits/cgroup-trees.js'
import { NetworkHelper, PERL } from './network/network-helper.js'
import { InheritedDescriptors } from './process/inherited-descriptors.js'
import { findBubblewrap } from './sandbox/find-bubblewrap.js'
import { namespaceRestriction, whyNoSandbox } from './sandbox/why-no-sandbox.js'

/** Result of one check. `fix` is null if there is nothing to do. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly fix: string | null
}

const TRIAL: readonly string[] = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--cap-drop', 'ALL', '--disable-userns', '--die-with-parent', '--new-session'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ...['--clearenv', '--', '/bin/bash', '-c', 'exit 42'],
]

function bubblewrapCheck(found: Capabilities): Check {
  if (found.sandbox === 'none') return { name: 'bubblewrap', ok: false, detail: found.cause, fix: found.fix }
  return { name: 'bubblewrap', ok: true, detail: `${found.version} at ${found.path}`, fix: null }
}

/** Runs a real command in a real sandbox, which is the only proof that it works here. */
function trialCheck(found: Capabilities): Check {
  const name = 'sandbox test'
  if (found.sandbox === 'none') return { name, ok: false, detail: 'bubblewrap is missing', fix: found.fix }
  const { status, stderr } = spawnSync(found.path, [...TRIAL], { env: {}, encoding: 'utf8', timeout: 10_000 })
  if (status === 42) return { name, ok: true, detail: 'a command ran and returned its exit status', fix: null }
  const { cause, fix } = whyNoSandbox(stderr ?? '')
  return { name, ok: false, detail: cause, fix }
}

function namespacesCheck(): Check {
  const restricted = process.getuid?.() === 0 ? null : namespaceRestriction()
  const name = 'user namespaces'
  if (restricted !== null) return { name, ok: false, detail: restricted.cause, fix: restricted.fix }
  return { name, ok: true, detail: 'no setting of this host restricts them', fix: null }
}

function seccompCheck(): Check {
  const ok = existsSync('/proc/sys/kernel/seccomp/actions_avail')
  const fix = ok ? null : 'Use a kernel built with CONFIG_SECCOMP_FILTER.'
  return { name: 'seccomp', ok, detail: ok ? 'the kernel filters system calls' : 'the kernel has no seccomp', fix }
}

function overlayCheck(): Check {
  const ok = readFileSync('/proc/filesystems', 'utf8').includes('overlay') || existsSync('/sys/module/overlay')
  const fix = ok ? null : 'Run `modprobe overlay`. Until then transactions copy the files in scope.'
  return { name: 'overlay', ok, detail: ok ? 'the kernel has overlay file systems' : 'no overlay file system', fix }
}

function cgroupCheck(): Check {
  const unified = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const kind = unified ? 'version 2' : existsSync('/sys/fs/cgroup/pids') ? 'version 1' : 'none'
  const held = cgroupTrees().flatMap(({ controllers }) => controllers)
  const holders = held.length === 0 ? 'rlimits and a watcher limit commands' : `cgroups limit ${held.join(' and ')}`
  return { name: 'cgroups', ok: true, detail: `${kind}; ${holders}`, fix: null }
}

/** Opens a real network with an empty host list. */
async function networkCheck(): Promise<Check> {
  const name = 'listed hosts'
  const inherited = new InheritedDescriptors()
  try {
    const helper = new NetworkHelper(PERL, { engineVariable: ['CORDON_ENGINE', 'doctor'], inherited }, undefined)
    const { isOpen } = await helper.open([], null).finally(() => helper.close())
    const detail = isOpen ? 'every program reaches them' : 'only programs that use the proxy reach them'
    return { name, ok: isOpen, detail, fix: isOpen ? null : 'Use a kernel with veth pairs (CONFIG_VETH).' }
  } catch (error) {
    const fix = 'Install Perl if it is missing. Until then use profiles whose network is none or full.'
    return { name, ok: false, detail: (error as Error).message, fix }
  } finally {
    inherited.close()
  }
}

/** Runs the launcher's checks for `cordon doctor`. */
export async function diagnose(): Promise<readonly Check[]> {
  const found = findBubblewrap()
  const checks = [bubblewrapCheck(found), trialCheck(found), namespacesCheck(), seccompCheck(), overlayCheck()]
  return [...checks, cgroupCheck(), await networkCheck()]
}
