import { createHash } from 'node:crypto'

const script = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
/** Maximum number of hashes in a content security policy. */
const maxScripts = 20

/**
 * Returns the hashes of the inline scripts of a document for its content security policy, which allows only these to
 * run. A script that this does not find is blocked.
 */
export function inlineScripts(document: Buffer): string[] {
  // Browsers normalize line endings before they hash a script.
  const text = document.toString().replace(/\r\n?/g, '\n')
  return [...text.matchAll(script)]
    .filter(([, attributes, code]) => !/\ssrc\s*=/i.test(attributes!) && code!.trim() !== '')
    .slice(0, maxScripts)
    .map(([, , code]) => `sha256-${createHash('sha256').update(code!).digest('base64')}`)
}
