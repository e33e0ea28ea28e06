import type { NavigateOptions, OpenType } from './host.ts'

/** What a page in a web-view asks for with uni-app's script for such pages. */
export type WebViewCall =
  | { readonly name: 'postMessage'; readonly data: unknown }
  | { readonly name: 'navigate'; readonly openType: OpenType; readonly url: string; readonly options: NavigateOptions }
  | { readonly name: 'refused'; readonly reason: string }

const openTypes: ReadonlyMap<unknown, OpenType> = new Map([
  ['navigateTo', 'navigate'],
  ['redirectTo', 'redirect'],
  ['reLaunch', 'reLaunch'],
  ['switchTab', 'switchTab'],
  ['navigateBack', 'navigateBack'],
])

/** Reads a message from a page in a web-view. Returns undefined if the page did not send it with uni-app's script. */
export function readCall(message: unknown): WebViewCall | undefined {
  if (!isRecord(message) || message.type !== 'WEB_INVOKE_APPSERVICE' || !isRecord(message.data)) return undefined
  const { name, arg } = message.data
  if (name === 'postMessage') return { name, data: arg }
  const openType = openTypes.get(name)
  if (openType === undefined) return { name: 'refused', reason: `${String(name)} is not a function of pages in it` }
  const { url, delta } = isRecord(arg) ? arg : {}
  if (openType === 'navigateBack') {
    return {
      name: 'navigate',
      openType,
      url: '',
      options: Number.isSafeInteger(delta) ? { delta: delta as number } : {},
    }
  }
  if (typeof url !== 'string' || url === '') return { name: 'refused', reason: `${String(name)} has no url` }
  return { name: 'navigate', openType, url, options: {} }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
