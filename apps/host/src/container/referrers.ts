import type { Referrer } from '@souk/contract/bridge'

/** Mini apps that open others, by the appid of the other one. Not in the URL, which anyone can write. */
const referrers = new Map<string, Referrer>()

/** Remembers which mini app opens another one, until that is opened. */
export function announceReferrer(appid: string, referrer: Referrer): void {
  referrers.set(appid, referrer)
}

/** Returns the mini app that opens this one, once. */
export function takeReferrer(appid: string): Referrer | undefined {
  const referrer = referrers.get(appid)
  referrers.delete(appid)
  return referrer
}
