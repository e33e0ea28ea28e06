import { importOnce } from '../carriers/importOnce.ts'

type ServicesModule = typeof import('./services.ts')

/** The services that no first page needs, once loaded. From then on calls take effect synchronously. */
export let services: ServicesModule | undefined

const importServices = importOnce(() => import('./services.ts'))

/** Loads the services. */
export async function loadServices(): Promise<ServicesModule> {
  services = await importServices()
  return services
}
