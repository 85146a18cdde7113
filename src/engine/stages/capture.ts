import type { Evidence } from '../../core/model/run/evidence.js'
import { closedPlaces } from '../evidence/closed-places.js'
import { systemPackages, unreachableServices } from '../evidence/host-services.js'
import { unsharedPaths } from '../evidence/unshared-paths.js'
import type { Observer } from '../ports/ports.js'
import type { CapturedRequest, EndedRequest } from './nouns.js'
import { keepEvidence, type Output } from './output.js'

/**
 * Gathers what is left of the output, and what explains it: what the sandbox stopped, and what it closed to the
 * command.
 */
export function capture(ended: EndedRequest, output: Output, observer: Observer): CapturedRequest {
  const captured = output.finish()
  const evidence = [...output.evidence]
  // At a terminal both streams are one.
  const errors = new TextDecoder().decode((ended.options.relay?.merged ? captured.stdout : captured.stderr).bytes)
  for (const one of [...ended.refused, ...closedTo(ended, errors, observer)]) keepEvidence(evidence, one)
  return { ...ended, captured, evidence, isKept: output.isKept }
}

function closedTo(
  { facts, surroundings, request, profile, launched: { ending, plan } }: EndedRequest,
  errors: string,
  observer: Observer,
): readonly Evidence[] {
  if (plan.sandbox.kind === 'none') return []
  const failed = ending.how === 'exited' && ending.status !== 0
  const realPath = (path: string): string =>
    observer.answer([{ ask: 'path', path }], surroundings).paths.get(path)?.real ?? path
  const isThere = (path: string, view: 'host' | 'sandbox'): boolean => {
    const seen = view === 'sandbox' ? surroundings : undefined
    return (observer.answer([{ ask: 'path', path }], seen).paths.get(path)?.kind ?? 'missing') !== 'missing'
  }
  const withoutWrites = profile.paths.write && profile.transaction.mode === 'auto' && plan.transaction === 'off'
  const unshared =
    failed && surroundings.privateDirectories ? unsharedPaths({ facts, cwd: request.cwd, errors }, isThere) : []
  const systemIsReadOnly = !plan.sandbox.mounts.some(({ op, at }) => op === 'write' && (at === '/' || at === '/usr'))
  return [
    ...closedPlaces({ facts, mounts: plan.sandbox.mounts, realPath, failed, errors, withoutWrites }),
    ...(failed ? unreachableServices(facts) : []),
    ...(failed && systemIsReadOnly ? systemPackages(facts) : []),
    ...unshared,
  ]
}
