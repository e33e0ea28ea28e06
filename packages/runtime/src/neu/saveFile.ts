import { currentCarrier } from '../carriers/current.ts'
import { readFile } from './files.ts'
import { toDataUrl } from './imageFile.ts'

/** Saves a temporary file or an address to the device; in a frame the host asks the user first. */
async function save(path: string, kind: 'image' | 'video' | 'document'): Promise<object> {
  const file = await readFile(path)
  if (kind !== 'document' && !file.type.startsWith(`${kind}/`)) throw new Error(`the file is not of the type ${kind}`)
  if (__SOUK_PLATFORM__ === 'H5') {
    ;(await import('@souk/shell/device/browser')).saveFile(file, kind)
    return {}
  }
  return currentCarrier().call('saveFile', { kind, data: await toDataUrl(path) })
}

type Saved = { filePath: string }
export const saveImageToPhotosAlbum = ({ filePath }: Saved): Promise<object> => save(filePath, 'image')
export const saveVideoToPhotosAlbum = ({ filePath }: Saved): Promise<object> => save(filePath, 'video')
export const openDocument = ({ filePath }: Saved): Promise<object> => save(filePath, 'document')
