import type { BridgeMethods } from '@souk/contract/bridge'
import { minute } from '@souk/contract/time'
import { blobOf } from './dataUrl.ts'

/** Device functions of a browser, for apps on H5 and for hosts that run in a browser. */

export async function copyText(text: string): Promise<void> {
  // Not available on pages that were not loaded over https.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('the browser refused to copy the text')
}

/** Vibrates, if the device can. */
export function vibrate(type: 'long' | 'short'): void {
  navigator.vibrate?.(type === 'long' ? 400 : 15)
}

/** Returns the address that calls a number. */
export function phoneAddress(phoneNumber: string): string {
  // The leading plus sign must not be encoded; blanks are only for readability.
  return `tel:${encodeURIComponent(phoneNumber.replace(/\s/g, '')).replace('%2B', '+')}`
}

/** Opens the device's phone application. */
export function callNumber(phoneNumber: string): void {
  const link = document.createElement('a')
  link.href = phoneAddress(phoneNumber)
  link.click()
}

/** @throws Error if the user or the browser refuses */
export function readPosition(isHighAccuracy: boolean): Promise<BridgeMethods['getLocation']['result']> {
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy, altitude, speed } }) =>
        resolve({ latitude, longitude, accuracy, altitude: altitude ?? 0, speed: speed ?? -1 }),
      ({ message }) => reject(new Error(message)),
      { enableHighAccuracy: isHighAccuracy },
    )
  })
}

/** File name extensions by type. Files of other types are not saved, because opening them could run them. */
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'text/plain': 'txt',
}

/**
 * Downloads a file under a unique name.
 *
 * @throws Error if files of this type are not saved
 */
export function saveFile(file: Blob, kind: 'image' | 'video' | 'document'): void {
  const extension = extensions[file.type.split(';')[0]!]
  if (!extension) throw new Error(`files of the type "${file.type}" cannot be saved`)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `${kind}-${Date.now()}.${extension}`
  link.click()
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), minute)
}

/**
 * Opens the share sheet of the device. The user must have just acted in this document. A picture is shared if it is a
 * data URL and the device can; the address of one only illustrates the link.
 *
 * @throws Error if the user closes it or the browser has none
 */
export async function share({ title, text, url, imageUrl }: BridgeMethods['share']['params']): Promise<void> {
  if (!navigator.share) throw new Error('not supported')
  const texts = { ...(title && { title }), ...(text && { text }), ...(url && { url }) }
  const files = imageUrl?.startsWith('data:') ? [pictureOf(imageUrl)] : []
  const canShareFiles = navigator.canShare?.({ files }) === true
  if (files.length > 0 && !canShareFiles && Object.keys(texts).length === 0)
    throw new Error('this device cannot share the picture')
  try {
    await navigator.share({ ...texts, ...(canShareFiles && files.length > 0 && { files }) })
  } catch (error) {
    const { name, message } = error as Error
    throw new Error(name === 'AbortError' ? 'cancel' : message)
  }
}

/** Returns the picture of a data URL as a file. */
function pictureOf(address: string): File {
  const blob = blobOf(address)
  return new File([blob], `picture.${extensions[blob.type] ?? 'png'}`, { type: blob.type })
}

let wakeLock: WakeLockSentinel | undefined
let isScreenKeptOn = false
let lastChange: Promise<void> = Promise.resolve()

/** Keeps the screen on while the page is visible. */
export async function keepScreenOn(isOn: boolean): Promise<void> {
  if (!navigator.wakeLock) throw new Error('not supported')
  isScreenKeptOn = isOn
  // The browser releases the lock when the page is hidden. Adding the same listener again has no effect.
  document.addEventListener('visibilitychange', renewWakeLock)
  await updateWakeLock()
}

/** Requests or releases the lock, one change after the other, so that none is lost. */
function updateWakeLock(): Promise<void> {
  const change = async () => {
    if (!isScreenKeptOn) await wakeLock?.release()
    else if (!document.hidden && wakeLock?.released !== false) wakeLock = await navigator.wakeLock.request('screen')
  }
  lastChange = lastChange.then(change, change)
  return lastChange
}

const renewWakeLock = () => void updateWakeLock().catch(console.warn)
