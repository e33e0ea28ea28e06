import type { Carrier } from '../carriers/carrier.ts'

/** How the app was opened, with the numbers and names of the ecosystem. */
export interface LaunchInfo {
  /** 1037: by another mini app; otherwise 1001. */
  scene: number
  /** The mini app that has opened this one, and what it has passed to it; empty if there is none. */
  referrerInfo: { appId?: string; extraData?: unknown }
}

export function launchInfo({ referrer }: Carrier): LaunchInfo {
  if (!referrer) return { scene: 1001, referrerInfo: {} }
  const { appid: appId, extraData } = referrer
  return { scene: 1037, referrerInfo: { appId, ...(extraData && { extraData: JSON.parse(extraData) }) } }
}
