type ServicesModule = typeof import('./services.ts')

/** The services that no first page needs, once loaded. From then on calls take effect synchronously. */
export let services: ServicesModule | undefined

let loading: Promise<ServicesModule> | undefined

/**
 * Loads the services. All callers share one promise, so that they continue in the order of their calls; separate
 * imports of a module resolve in any order.
 */
export function loadServices(): Promise<ServicesModule> {
  loading ??= import('./services.ts').then(
    (loaded) => {
      services = loaded
      return loaded
    },
    (error) => {
      // Retry next time: the network may be back.
      loading = undefined
      throw error
    },
  )
  return loading
}
