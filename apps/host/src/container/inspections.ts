import { readOfTab, writeOfTab } from '@souk/web'
import { reactive, watch } from 'vue'

/** An inspection that a developer offers, or that the user has accepted. */
export type OfferedInspection = { code: string } | AcceptedInspection
export interface AcceptedInspection {
  inspectionId: string
  developer: string
}

/** Accepted inspections survive a reload of the page, but no longer than its tab. */
const storageKey = 'souk.host.inspections'

/** Inspections by appid. */
export const inspections = reactive(new Map<string, OfferedInspection>(readAccepted()))

watch(inspections, (now) => {
  const accepted = [...now].filter(([, each]) => 'inspectionId' in each)
  writeOfTab(storageKey, JSON.stringify(accepted))
})

/** Asks the user about an inspection when the mini app is open, unless another one is in progress. */
export function offerInspection(appid: string, code: string): void {
  const current = inspections.get(appid)
  if (!current || 'code' in current) inspections.set(appid, { code })
}

function readAccepted(): [string, AcceptedInspection][] {
  try {
    const stored: unknown = JSON.parse(readOfTab(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}
