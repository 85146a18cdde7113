/**
 * Wraps an event or timer handler. An exception in a handler would end the whole Node process; `onThrow` ends only the
 * work of this handler. `onThrow` must not throw.
 */
export const contained =
  <A extends readonly unknown[]>(handler: (...args: A) => void, onThrow: (error: unknown) => void) =>
  (...args: A): void => {
    try {
      handler(...args)
    } catch (error) {
      onThrow(error)
    }
  }
