export type { Options } from './options.ts'
export { PagesError } from './plugins/diagnostics.ts'
export { FolderError } from './plugins/outFolder.ts'
export {
  type DevServer,
  type Release,
  type ReleaseOptions,
  release,
  type ServeOptions,
  serve,
} from './run.ts'
export { souk } from './souk.ts'
