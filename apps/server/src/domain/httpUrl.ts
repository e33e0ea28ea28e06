/** Whether a text is an absolute http or https address, as `url` and `iconUrl` have to be (open-api §4.3). */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)
}
