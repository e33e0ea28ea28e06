import type { FullContext } from '../domain/context.ts'
import { createKeyRingFollower, followInterval } from '../domain/installation/index.ts'
import { reloadClock } from '../domain/operations/index.ts'
import type { OffsetClock } from '../kernel/clock.ts'
import type { Live } from '../surfaces/live.ts'

/** Moves the clock of a sandbox when any process moves it. */
export async function followClock(context: FullContext, clock: OffsetClock, live: Live): Promise<void> {
  await context.sql.listen(
    'souk_clock',
    (offset) => {
      clock.offset = Number(offset)
      live.emit('clock')
    },
    () => void reloadClock(context).then(() => live.emit('clock')),
  )
}

/** Takes part in key rotations. Returns a function that leaves them. */
export async function followKeyRing(context: FullContext): Promise<() => Promise<void>> {
  const keyRing = createKeyRingFollower(context)
  await keyRing.follow()
  await context.sql.listen('souk_keys', keyRing.follow)
  const following = setInterval(keyRing.follow, followInterval)
  return async () => {
    clearInterval(following)
    await keyRing.leave()
  }
}
