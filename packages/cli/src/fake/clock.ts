/** A clock that can be moved forward, and runs what becomes due. */
export class FakeClock {
  #offset = 0
  #due: { time: number; run: () => unknown; timer: NodeJS.Timeout }[] = []

  /** Returns the time in ms. */
  now(): number {
    return Date.now() + this.#offset
  }

  offset(): number {
    return this.#offset
  }

  /** Runs a function at a time, or when the clock has been moved there. */
  at(time: number, run: () => unknown): void {
    // Timers take at most 24 days.
    const timer = setTimeout(() => this.#runDue(), Math.min(Math.max(time - this.now(), 0), 2 ** 31 - 1)).unref()
    this.#due.push({ time, run, timer })
  }

  /** Moves the clock, and waits until everything that became due has run. */
  async forward(ms: number): Promise<void> {
    this.#offset += ms
    await this.#runDue()
  }

  reset(): void {
    this.#offset = 0
  }

  stop(): void {
    for (const { timer } of this.#due) clearTimeout(timer)
    this.#due = []
  }

  async #runDue(): Promise<void> {
    for (;;) {
      const next = this.#due.filter(({ time }) => time <= this.now()).sort((one, other) => one.time - other.time)[0]
      if (!next) return
      clearTimeout(next.timer)
      this.#due = this.#due.filter((one) => one !== next)
      await next.run()
    }
  }
}
