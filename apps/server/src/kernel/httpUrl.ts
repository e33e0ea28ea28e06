/** Returns whether a text is an absolute http or https URL, as required for `url` and `iconUrl` (open-api §4.3). */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s\\]+$/i.test(text) && URL.canParse(text)
}

/**
 * Returns whether a URL names one host, by name or address. `URL` also accepts hosts such as `*.example.com` and
 * `a;b`, which a content security policy reads as any subdomain or as a directive of its own.
 */
export function namesOneHost({ hostname }: URL): boolean {
  return /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i.test(hostname)
}
