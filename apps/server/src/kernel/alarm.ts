/** Lets a loop rest until its next turn, or until there is something to do. */
export class Alarm {
  #woken = Promise.withResolvers<void>()

  /** Ends the current rest, or the next one if the loop is at work. */
  wake(): void {
    this.#woken.resolve()
  }

  /** Waits `duration` ms, or until `wake` is called. */
  async rest(duration: number): Promise<void> {
    const timer = setTimeout(this.#woken.resolve, Math.max(0, duration))
    await this.#woken.promise
    clearTimeout(timer)
    this.#woken = Promise.withResolvers()
  }
}
