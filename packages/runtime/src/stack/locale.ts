import type { Device } from '@souk/shell/host'
import { shallowRef } from 'vue'

/** The language that the app has set, for as long as it is open; empty for that of the device. */
export const chosenLocale = shallowRef('')

/** Returns the language in which the texts of pages.json are shown. */
export const shownLanguage = ({ language }: Pick<Device, 'language'>): string => chosenLocale.value || language
