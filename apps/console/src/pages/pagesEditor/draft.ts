const keyOf = (appid: string) => `souk.pages.${appid}`

/** Reads the edited text that was saved in this browser. */
export function readDraft(appid: string): string | undefined {
  return localStorage.getItem(keyOf(appid)) ?? undefined
}

/**
 * Saves the edited text in this browser, or removes it if undefined.
 *
 * @returns false if the browser's storage is full
 */
export function saveDraft(appid: string, text: string | undefined): boolean {
  try {
    if (text === undefined) localStorage.removeItem(keyOf(appid))
    else localStorage.setItem(keyOf(appid), text)
    return true
  } catch {
    return false
  }
}
