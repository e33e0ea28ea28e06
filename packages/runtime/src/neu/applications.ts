import { currentCarrier } from '../carriers/current.ts'
import { jsonOf } from './jsonOf.ts'
import type { Options, Result } from './table/types.ts'

export async function navigateToMiniProgram(options: Options<'navigateToMiniProgram'>): Promise<object> {
  const { appId, path = '', extraData, envVersion } = options
  return currentCarrier().call('openMiniApp', {
    appid: appId,
    path: pageOf(path),
    ...(extraData !== undefined && { extraData: jsonOf(extraData, 'extraData') }),
    ...(envVersion && { envVersion }),
  })
}

const pageOf = (path: string) => path.replace(/^\//, '')

export async function launchApp({ url = '', identity = '' }: Options<'launchApp'>): Promise<object> {
  if (!url && !identity) throw new Error('url is missing')
  return currentCarrier().call('launchApp', { url, identity })
}

export function restartMiniProgram({ path = '' }: Options<'restartMiniProgram'> = {}): Promise<object> {
  return currentCarrier().call('restartMiniApp', { path: pageOf(path) })
}

export function setEnableDebug({ enableDebug }: Options<'setEnableDebug'>): Promise<object> {
  return currentCarrier().call('setDebug', { isOn: enableDebug })
}

export async function invokeNativePlugin({
  api_name,
  data = {},
}: Options<'invokeNativePlugin'>): Promise<Result<'invokeNativePlugin'>> {
  const called = { name: api_name, data: jsonOf(data, 'data') }
  const { result } = await currentCarrier().call('invokeNativePlugin', called)
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : { data: result }
}

export const openPressReader = (options: object = {}): Promise<Result<'openPressReader'>> =>
  invokeNativePlugin({ api_name: 'openPressReader', data: options })

export const getScreenBrightness = (): Promise<Result<'getScreenBrightness'>> =>
  currentCarrier().call('getScreenBrightness', {})

export const setScreenBrightness = ({ value }: Options<'setScreenBrightness'>): Promise<object> =>
  currentCarrier().call('setScreenBrightness', { value })
