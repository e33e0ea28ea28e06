import { minute, second } from '@souk/contract'

/** Last timestamp by appid. All clients of the process share them: the same parameters would have the same sign. */
const last = new Map<string, number>()
/**
 * How far the timestamps of this process are behind its clock, in ms. It is random, so that two processes hardly sign
 * with the same timestamp. Of the 5 minutes that Souk allows, it leaves 4 to clocks and the network (ADR 411).
 */
let offset: number | undefined

/** Returns a timestamp that no other request of this process for the mini app has. `now` is the time in ms. */
export function nextTimestamp(appid: string, now: number): number {
  offset ??= Math.floor(Math.random() * minute)
  const previous = last.get(appid) ?? 0
  // The clock was set back. Souk refuses timestamps that are minutes ahead.
  const timestamp = previous > now + minute ? now - offset : Math.max(now - offset, previous + 1)
  last.set(appid, timestamp)
  return timestamp
}

/** Leaves out up to a second of timestamps, after another process has used one. */
export function skipTimestamps(appid: string): void {
  last.set(appid, (last.get(appid) ?? 0) + Math.floor(Math.random() * second))
}
