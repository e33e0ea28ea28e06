import { readStored, writeStored } from '@souk/web'
import { ref } from 'vue'

const remembered = 'souk.timeZone'
const stored = readStored(remembered) ?? undefined

/** All zones that this browser knows. */
export const timeZones: readonly string[] = [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

/** Time zone of shown times; undefined: the system's. Stored in this browser. */
export const timeZone = ref(timeZones.find((zone) => zone === stored))

/** Returns the name of the time zone of shown times. */
export const shownTimeZone = () => timeZone.value ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Shows times in a zone, or in the system's. */
export function setTimeZone(chosen: string | undefined): void {
  timeZone.value = chosen
  writeStored(remembered, chosen)
}
