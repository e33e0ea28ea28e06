import type { Carrier } from '../carriers/carrier.ts'

/** How the app was opened, with the numbers and names of the ecosystem. */
export interface LaunchInfo {
  /** 1037: by another mini app; 1007: by a card; otherwise 1001. */
  scene: number
  /** The mini app that has opened this one, and what it or the card has passed to it. */
  referrerInfo: {
    /** The appid of the mini app that has opened this one; empty for none. */
    appId?: string
    /** What it has passed on. */
    extraData?: unknown
  }
}

export function launchInfo({ referrer, card }: Carrier): LaunchInfo {
  const { extraData } = referrer ?? card ?? {}
  const passed = extraData && { extraData: JSON.parse(extraData) }
  if (referrer) return { scene: 1037, referrerInfo: { appId: referrer.appid, ...passed } }
  return { scene: card ? 1007 : 1001, referrerInfo: { ...passed } }
}
