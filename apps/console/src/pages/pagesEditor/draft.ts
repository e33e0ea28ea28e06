import { readStored, writeStored } from '@souk/web'

const keyOf = (appid: string) => `souk.pages.${appid}`

/** Reads the edited text that was saved in this browser. */
export function readDraft(appid: string): string | undefined {
  return readStored(keyOf(appid)) ?? undefined
}

/**
 * Saves the edited text in this browser, or removes it if undefined.
 *
 * @returns false if the browser's storage is full or denied
 */
export function saveDraft(appid: string, text: string | undefined): boolean {
  return writeStored(keyOf(appid), text)
}
