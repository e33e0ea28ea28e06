/** The address of Souk in the pages. */
const written = 'http://localhost:7070'

/**
 * Replaces the address of Souk in the code and the links of the page by that of the server that serves the page, so
 * that commands can be copied. Blocks of code do not wrap, so nothing moves. An address alone in a sentence is a
 * default.
 */
export function nameThisServer(): void {
  const { origin } = location
  if (import.meta.env.DEV || origin === written) return
  for (const code of document.querySelectorAll('.vp-doc code')) {
    if (code.textContent === written && !code.closest('pre')) continue
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode } = texts
      if (currentNode.nodeValue?.includes(written))
        currentNode.nodeValue = currentNode.nodeValue.replaceAll(written, origin)
    }
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`.vp-doc a[href^="${written}"]`)) {
    const shown = link.textContent
    if (shown === link.getAttribute('href')) link.textContent = shown.replace(written, origin)
    link.href = link.href.replace(written, origin)
  }
}
