import { createHash } from 'node:crypto'

/** Maximum number of hashes in a content security policy. */
const maxScripts = 20

/**
 * Returns the hashes of the inline scripts of a document for its content security policy, which allows only these to
 * run. A script that this does not find is blocked. Takes time linear in the length of the document.
 */
export function inlineScripts(document: Buffer): string[] {
  // Browsers normalize line endings before they hash a script.
  const text = document.toString().replace(/\r\n?/g, '\n')
  const hashes: string[] = []
  for (const { attributes, code } of scriptsIn(text)) {
    if (hashes.length === maxScripts) break
    if (/\ssrc\s*=/i.test(attributes) || code.trim() === '') continue
    hashes.push(`sha256-${createHash('sha256').update(code).digest('base64')}`)
  }
  return hashes
}

/** Finds scripts in linear time: each search starts where the previous one ended; the first failure is the last. */
function* scriptsIn(text: string): Generator<{ attributes: string; code: string }> {
  const opening = /<script[\s/>]/gi
  const closing = /<\/script[\s/>]/gi
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const attributes = opening.lastIndex - 1
    const start = text.indexOf('>', attributes)
    if (start === -1) return
    closing.lastIndex = start
    const close = closing.exec(text)
    if (!close) return
    yield { attributes: text.slice(attributes, start), code: text.slice(start + 1, close.index) }
    opening.lastIndex = closing.lastIndex
  }
}
