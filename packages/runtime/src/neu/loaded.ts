type ServicesModule = typeof import('./services.ts')

/** What no first page needs, once it is there; so that from then on calls do what they do at once. */
export let services: ServicesModule | undefined

/** Where the network fails it may be there the next time. */
export async function loadServices(): Promise<ServicesModule> {
  services ??= await import('./services.ts')
  return services
}
