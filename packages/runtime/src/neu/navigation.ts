import { currentCarrier } from '../carriers/current.ts'
import { parseUrl } from '../stack/address.ts'
import { currentApp } from '../stack/app.ts'
import type { PageStack } from '../stack/stack.ts'
import type { Options, Result } from './table/types.ts'

const stack = (): Promise<PageStack> => currentApp().navigation()

export async function navigateTo(options: Options<'navigateTo'>): Promise<Result<'navigateTo'>> {
  return (await stack()).navigateTo(options)
}

export async function redirectTo(options: Options<'redirectTo'>): Promise<void> {
  await (await stack()).redirectTo(options)
}

export async function reLaunch(options: Options<'reLaunch'>): Promise<void> {
  await (await stack()).reLaunch(options)
}

export async function switchTab(options: Options<'switchTab'>): Promise<void> {
  await (await stack()).switchTab(options)
}

export async function navigateBack(options: Options<'navigateBack'> = {}): Promise<void> {
  await (await stack()).navigateBack(options, 'navigateBack')
}

export async function preloadPage({ url }: Options<'preloadPage'>): Promise<void> {
  const { environment, top } = currentApp()
  const { path } = parseUrl(url, top?.path)
  if (!(await environment.load(path))) throw new Error(`page "${path}" is not found`)
}

export function exitMiniProgram(): Promise<object> {
  return currentCarrier().call('exitMiniApp', {})
}
