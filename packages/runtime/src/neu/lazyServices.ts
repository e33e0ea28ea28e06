type ServicesModule = typeof import('./services.ts')

/** What no first page needs, once it is there; so that from then on calls do what they do at once. */
export let services: ServicesModule | undefined

let loading: Promise<ServicesModule> | undefined

/** One promise for all who wait, so that they go on in the order of their calls: several imports of one module end in any order. */
export function loadServices(): Promise<ServicesModule> {
  loading ??= import('./services.ts').then(
    (loaded) => {
      services = loaded
      return loaded
    },
    (error) => {
      // The network may be there the next time.
      loading = undefined
      throw error
    },
  )
  return loading
}
