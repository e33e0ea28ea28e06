import { expect } from 'vitest'

/** Returns the CPU time of this process in ms, which does not grow while the machine is busy with other processes. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Expects `run` to take CPU time linear in the size of its input: eight times the input costs eight times as much, or
 * 64 times if it is quadratic.
 *
 * @param inputOf creates an input of about `size` characters
 */
export async function expectLinear<I>(
  run: (input: I) => unknown,
  inputOf: (size: number) => I | Promise<I>,
  size = 65_536,
): Promise<void> {
  const [small, large] = [await inputOf(size), await inputOf(8 * size)]
  const costOf = async (input: I) => {
    const before = cpuTime()
    await run(input)
    return cpuTime() - before
  }
  // A collection of garbage can make a run several times longer, so a round that is too long proves nothing.
  const least = { small: Infinity, large: Infinity }
  // Below 50 ms the measurement is mostly noise.
  const limit = () => 24 * least.small + 50
  for (let round = 0; round < 3 || (round < 30 && least.large >= limit()); round++) {
    least.small = Math.min(least.small, await costOf(small))
    least.large = Math.min(least.large, await costOf(large))
  }
  expect(least.large).toBeLessThan(limit())
}
