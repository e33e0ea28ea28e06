/** A text that somebody has changed and not taken along yet; it stays in this browser until it is discarded. */
const keyOf = (appid: string) => `souk.pages.${appid}`

export function readDraft(appid: string): string | undefined {
  return localStorage.getItem(keyOf(appid)) ?? undefined
}

/** @returns false where the browser has no room for it */
export function saveDraft(appid: string, text: string | undefined): boolean {
  try {
    if (text === undefined) localStorage.removeItem(keyOf(appid))
    else localStorage.setItem(keyOf(appid), text)
    return true
  } catch {
    return false
  }
}
