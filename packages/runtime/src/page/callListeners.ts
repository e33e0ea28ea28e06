/** Calls all listeners, though some may throw, add or remove listeners. Errors are reported to the window. */
export function callListeners<A extends unknown[]>(listeners: Iterable<(...args: A) => unknown>, ...args: A): void {
  for (const listener of [...listeners]) {
    try {
      listener(...args)
    } catch (error) {
      reportError(error)
    }
  }
}
