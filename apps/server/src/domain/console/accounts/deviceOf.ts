import Bowser from 'bowser'

/** Returns the names of the browser and the system that a header User-Agent names. */
export function deviceOf(userAgent: string | null | undefined): { browser: string | null; system: string | null } {
  if (!userAgent) return { browser: null, system: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name || null, system: os.name || null }
}
