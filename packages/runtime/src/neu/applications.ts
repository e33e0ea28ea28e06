import { currentCarrier } from '../carriers/current.ts'
import { jsonOf } from './jsonOf.ts'

export interface MiniProgramOptions {
  appId: string
  /** Page with its query; the launch page if it is omitted. */
  path?: string
  /** The other mini app gets it with its launch options. */
  extraData?: unknown
  /** Versions other than `release` open for users who may test the other mini app. */
  envVersion?: 'release' | 'trial' | 'develop'
}

/** Opens another mini app of the host. */
export async function navigateToMiniProgram(options: MiniProgramOptions): Promise<object> {
  const { appId, path = '', extraData, envVersion } = options
  return currentCarrier().call('openMiniApp', {
    appid: appId,
    path: pageOf(path),
    ...(extraData !== undefined && { extraData: jsonOf(extraData, 'extraData') }),
    ...(envVersion && { envVersion }),
  })
}

const pageOf = (path: string) => path.replace(/^\//, '')

/** Opens another application by its address, or by its identifier in hosts that can, after the user agrees. */
export async function launchApp({ url = '', identity = '' }: { url?: string; identity?: string }): Promise<object> {
  if (!url && !identity) throw new Error('url is missing')
  return currentCarrier().call('launchApp', { url, identity })
}

/** Starts the app again, at the launch page or at another one. */
export function restartMiniProgram({ path = '' }: { path?: string } = {}): Promise<object> {
  return currentCarrier().call('restartMiniApp', { path: pageOf(path) })
}

/** Shows or hides the inspector of the host. Fails if it has none. */
export function setEnableDebug({ enableDebug }: { enableDebug: boolean }): Promise<object> {
  return currentCarrier().call('setDebug', { isOn: enableDebug })
}

/**
 * Calls a native plug-in of the application around the host. Returns the fields of its result, or the result as
 * `data` if it is not an object.
 */
export async function invokeNativePlugin({
  api_name,
  data = {},
}: {
  api_name: string
  data?: unknown
}): Promise<object> {
  const called = { name: api_name, data: jsonOf(data, 'data') }
  const { result } = await currentCarrier().call('invokeNativePlugin', called)
  return typeof result === 'object' && result !== null && !Array.isArray(result) ? result : { data: result }
}

/** Opens the reader for newspapers, which is a native plug-in of some applications. */
export const openPressReader = (options: object = {}): Promise<object> =>
  invokeNativePlugin({ api_name: 'openPressReader', data: options })
