export { type Options, outFolders } from './options.ts'
export { PagesFault } from './plugins/diagnostics.ts'
export {
  FolderFault,
  type Release,
  type ReleaseOptions,
  release,
  type Served,
  type ServeOptions,
  serve,
} from './run.ts'
export { souk } from './souk.ts'
