import { Calendar } from '@souk/contract'
import { computed } from 'vue'
import { timeZone } from './timeZone.ts'

const calendar = computed(() => new Calendar(timeZone.value))

// The methods of Calendar, in the chosen time zone.
export const midnight = (time: number) => calendar.value.midnight(time)
export const dayName = (time: number) => calendar.value.dayName(time)
export const localTime = (time: number) => calendar.value.localTime(time)
export const timeAt = (text: string) => calendar.value.timeAt(text)
export const addDays = (time: number, count: number) => calendar.value.addDays(time, count)
