const followers = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `act` when the signal aborts, at once if it has already. One listener per signal however many follow it: a
 * caller may hand the same signal to a thousand commands without a warning about leaking listeners.
 */
export function follow(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act()
    return () => {}
  }
  const acts = followers.get(signal) ?? listen(signal)
  acts.add(act)
  return () => acts.delete(act)
}

function listen(signal: AbortSignal): Set<() => void> {
  const acts = new Set<() => void>()
  followers.set(signal, acts)
  signal.addEventListener('abort', () => {
    for (const act of [...acts]) act()
  })
  return acts
}
