import { currentCarrier } from '../carriers/current.ts'

/** Returns the language of the host as BCP 47, such as `ar` or `zh-CN`. On H5 it is that of the browser. */
export async function getHostLanguage(): Promise<{ code: string }> {
  return { code: currentCarrier().device.language }
}

/**
 * Returns the font size that the user has set in the browser or in the system, in px, and its factor to the usual one.
 */
export async function getHostFontSize(): Promise<{ fontSizeSetting: number; fontSizeScaleFactor: number }> {
  const text = document.body.appendChild(document.createElement('span'))
  text.style.fontSize = 'medium'
  const fontSizeSetting = Number.parseFloat(getComputedStyle(text).fontSize)
  text.remove()
  return { fontSizeSetting, fontSizeScaleFactor: fontSizeSetting / 16 }
}
