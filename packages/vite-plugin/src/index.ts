export { ProjectError } from '@souk/project'
export type { Options } from './options.ts'
export { PagesError } from './plugins/diagnostics.ts'
export { FolderError } from './plugins/outFolder.ts'
export { ConfigError } from './projectConfig.ts'
export type { Replay, ReplayedAnswer, ReplayedDevice, ReplayedRequest, ReplayedResponse } from './replay.ts'
export {
  type DevServer,
  type Release,
  type ReleaseOptions,
  release,
  type ServeOptions,
  serve,
} from './run.ts'
export { souk } from './souk.ts'
export {
  type Change,
  type Counts,
  type Finding,
  type MigrateOptions,
  type Migration,
  migrate,
  type Place,
  type Section,
  TooLarge,
  UnsafeWrite,
  VueVersionError,
  writeChanges,
} from './uniCompat/index.ts'
