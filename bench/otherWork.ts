import { cpus } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** Share of the processors that other programs may take, 0 to 1. */
const maxShare = 0.15
/** How long other programs are observed, in ms. */
const period = 3_000

/**
 * Observes the machine while this program does nothing, and returns whether other programs leave enough of its
 * processors to compare ratios. If not, it says so.
 */
export async function isQuiet(): Promise<boolean> {
  const before = times()
  await setTimeout(period)
  const after = times()
  const share = (after.busy - before.busy) / (after.all - before.all)
  if (share <= maxShare) return true
  console.log(`Not compared: other programs take ${Math.round(share * 100)} % of the processors.`)
  return false
}

/** Returns the time of all processors since the machine has started, in ms. */
function times(): { busy: number; all: number } {
  let [busy, all] = [0, 0]
  for (const { times } of cpus()) {
    const sum = Object.values(times).reduce((total, time) => total + time, 0)
    busy += sum - times.idle
    all += sum
  }
  return { busy, all }
}
