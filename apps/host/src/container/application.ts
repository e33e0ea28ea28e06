import { runtimeVersion } from '@souk/contract'
import type { EmbedApplication, EmbedHandler, EmbedMethod, EmbedMethods } from '@souk/contract/embed'
import { ApiError, type EntryStore } from '@souk/host-view'
import { computed, shallowRef } from 'vue'

/** The application around an embedded mini app, as it is known after `initialize`. */
export interface Application {
  /** Its name and version, for mini apps. */
  info: EmbedApplication
  handles: ReadonlySet<EmbedHandler>
  /** @throws ApplicationError if the application rejects the call, or its result violates the contract */
  call<M extends EmbedMethod>(method: M, params: EmbedMethods[M]['params']): Promise<EmbedMethods[M]['result']>
}

/** An error or an invalid result of the application. Its message is returned to the mini app. */
export class ApplicationError extends Error {}

/** The embedding application; undefined in the host application. */
const application = shallowRef<Application>()

export function setApplication(now: Application): void {
  application.value = now
}

/** True in an embedded page. */
export const isEmbedded = computed(() => application.value !== undefined)

/** Name and version of the application around mini apps, which they can read. */
export const hostApplication = computed(() => ({
  ...(application.value ? { name: '', version: '' } : { name: 'Souk', version: runtimeVersion }),
  packageName: '',
  ...application.value?.info,
}))

/** Returns the application if it handles these calls; otherwise undefined, and the page handles them. */
export function handlerOf(name: EmbedHandler): Application | undefined {
  return application.value?.handles.has(name) ? application.value : undefined
}

/** Returns the storage of a mini app in the application, if it has one. */
export function applicationStorage(appid: string): EntryStore | undefined {
  const found = handlerOf('storage')
  if (!found) return undefined
  const call: Application['call'] = (method, params) =>
    found.call(method, params).catch((error: Error) => {
      throw new ApiError(`${method}:fail ${error.message}`)
    })
  return {
    read: async () => (await call('readStorage', { appid })).entries,
    set: async (key, data) => void (await call('setStorage', { appid, key, data })),
    remove: async (key) => void (await call('removeStorage', { appid, key })),
    clear: async () => void (await call('clearStorage', { appid })),
  }
}
