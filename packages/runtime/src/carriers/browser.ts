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

/** Does nothing on devices that cannot vibrate. */
export function vibrate(type: 'long' | 'short'): void {
  navigator.vibrate?.(type === 'long' ? 400 : 15)
}

/** Opens the device's phone application. */
export function callNumber(phoneNumber: string): void {
  const link = document.createElement('a')
  // The leading plus sign must not be encoded; blanks are only for readability.
  link.href = `tel:${encodeURIComponent(phoneNumber.replace(/\s/g, '')).replace('%2B', '+')}`
  link.click()
}
