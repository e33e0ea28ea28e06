import { createHash } from 'node:crypto'

const script = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi
/** More than any document has that a person wrote. */
const most = 20

/**
 * The scripts within a document, as its content security policy names them: those that were uploaded may run, and none that
 * got in later. One that this does not find does not run, that is all.
 */
export function inlineScripts(document: Buffer): string[] {
  // Browsers hash what they have parsed, and they parse every end of a line to one character.
  const text = document.toString().replace(/\r\n?/g, '\n')
  return [...text.matchAll(script)]
    .filter(([, attributes, code]) => !/\ssrc\s*=/i.test(attributes!) && code!.trim() !== '')
    .slice(0, most)
    .map(([, , code]) => `sha256-${createHash('sha256').update(code!).digest('base64')}`)
}
