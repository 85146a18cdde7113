import type { Mount, Plan } from '../../../core/model/policy/plan.js'

/** Removes the protection of paths that the commit reviews. */
export const unreviewed = (mounts: readonly Mount[]): readonly Mount[] =>
  mounts.filter((mount) => !('reviewed' in mount && mount.reviewed))

/** The plan as it runs in the mount namespace of an overlay. */
export function planWithin(plan: Plan, pid: number): Plan {
  const { sandbox } = plan
  if (sandbox.kind === 'none') return plan
  return { ...plan, sandbox: { ...sandbox, mounts: unreviewed(sandbox.mounts), within: pid } }
}
