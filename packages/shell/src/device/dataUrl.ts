/**
 * Returns a media type without the spaces before its parameters, which a data URL cannot have. Servers send some, as in
 * `text/plain; charset=utf-8`.
 */
export const compactType = (type: string): string => type.replaceAll(' ', '')

/** Returns the content of a file as a data URL in base64. */
export function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file.slice(0, file.size, compactType(file.type)))
  })
}

/** Decodes a data URL in base64. Not by fetch, which the policy of a page may forbid. */
export function blobOf(address: string): Blob {
  const comma = address.indexOf(',')
  const type = address.slice('data:'.length, address.lastIndexOf(';', comma))
  return new Blob([Uint8Array.from(atob(address.slice(comma + 1)), (character) => character.charCodeAt(0))], { type })
}
