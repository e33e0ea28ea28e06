/** Returns a URL without user name, password, query and fragment, to show it in an error. */
export function shownUrl(url: string): string {
  const [, scheme = '', host, port = '', path = ''] =
    /^(https?:)?\/\/(?:[^/?#\\@]*@)?([^/?#\\@:\s[\]]+|\[[0-9a-f:.]+\])(:\d{1,5})?(\/[^?#\\@]*)?(?:[?#].*)?$/is.exec(
      url,
    ) ?? []
  if (host !== undefined) return `${scheme}//${host}${port}${path}`
  // Not a valid URL. A password may contain the characters that end it.
  const [, shown = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? []
  return rest.includes('@') ? '…' : shown.replace(/^.*@/s, '…@')
}

/** Returns a text with its URLs as `shownUrl` returns them. */
export function withShownUrls(text: string): string {
  return text.replace(/[a-z]{2,10}:\/\/[^\s"'<>]*/gi, shownUrl)
}
