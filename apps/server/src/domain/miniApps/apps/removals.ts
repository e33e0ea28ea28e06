import { addedParts, type Part } from '../../console/index.ts'
import type { AppChange, ApprovedSettings } from './store.ts'

type Changed = Pick<AppChange, 'capabilities' | 'domains'>

/** Returns the parts of the settings that a change takes from a mini app. Absent settings stay as they are. */
export function removalsIn({ appid, ...before }: ApprovedSettings, change: Changed): Part[] {
  return addedParts(appid, { ...before, ...definedIn(change) }, before)
}

/** Returns the parts of the settings that a change gives to a mini app. */
export function additionsIn({ appid, ...before }: ApprovedSettings, change: Changed): Part[] {
  return addedParts(appid, before, definedIn(change))
}

const definedIn = ({ capabilities, domains }: Changed): Changed => ({
  ...(capabilities && { capabilities }),
  ...(domains && { domains }),
})
