/** Returns whether a text is an absolute http or https URL, as required for `url` and `iconUrl` (open-api §4.3). */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)
}
