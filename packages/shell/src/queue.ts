export interface Queue {
  /** Runs the task after all earlier ones and returns its result. A failed task does not stop later ones. */
  add<T>(task: () => T | Promise<T>): Promise<T>
  /** Resolves when no task is left. */
  idle(): Promise<void>
}

/** Creates a queue that runs one task at a time and calls `onIdle` after the last one. */
export function createQueue(onIdle = () => {}): Queue {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    async add(task) {
      waiting++
      const result = last.then(task)
      last = result.catch(() => {})
      try {
        return await result
      } finally {
        if (--waiting === 0) onIdle()
      }
    },
    async idle() {
      // Tasks that hooks have just requested are added in this turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve))
      const before = last
      await before
      return before === last ? undefined : this.idle()
    },
  }
}
