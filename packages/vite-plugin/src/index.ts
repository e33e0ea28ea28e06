export type { Options } from './options.ts'
export { PagesFault } from './plugins/diagnostics.ts'
export { FolderFault } from './plugins/outFolder.ts'
export {
  type Release,
  type ReleaseOptions,
  release,
  type Served,
  type ServeOptions,
  serve,
} from './run.ts'
export { souk } from './souk.ts'
