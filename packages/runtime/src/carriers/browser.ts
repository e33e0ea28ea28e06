/** What a browser can do with the device, for apps on H5 and for hosts that run in a browser. */

export async function copyText(text: string): Promise<void> {
  // Not there where the page does not come over https.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('the browser does not let it be copied')
}

/** Nothing happens where the device cannot. */
export function vibrate(type: 'long' | 'short'): void {
  navigator.vibrate?.(type === 'long' ? 400 : 15)
}

/** Opens the device's own way to call. */
export function callNumber(phoneNumber: string): void {
  const link = document.createElement('a')
  // The plus sign in front has to be one; blanks are for people.
  link.href = `tel:${encodeURIComponent(phoneNumber.replace(/\s/g, '')).replace('%2B', '+')}`
  link.click()
}
