import { currentCarrier } from '../carriers/current.ts'
import type { Options, Result } from './table/types.ts'
import { showToast } from './toast.ts'

const copiedTexts: Record<string, string> = { zh: '已复制', ar: 'تم النسخ' }

export async function setClipboardData({
  data,
  showToast: isToastShown = true,
}: Options<'setClipboardData'>): Promise<void> {
  const carrier = currentCarrier()
  if (__SOUK_PLATFORM__ === 'H5') await (await import('@souk/shell/device/browser')).copyText(data)
  else await carrier.call('setClipboardData', { data })
  if (isToastShown) void showToast({ title: copiedTexts[carrier.device.language.split('-')[0]!] ?? 'Copied' })
}

export async function getClipboardData(): Promise<Result<'getClipboardData'>> {
  if (__SOUK_PLATFORM__ === 'H5') return { data: await navigator.clipboard.readText() }
  return currentCarrier().call('getClipboardData', {})
}
