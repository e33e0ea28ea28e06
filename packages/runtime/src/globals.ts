import type { Neu } from './neu/start.ts'
import type * as pages from './stack/pages.ts'

/** Globals that pages can use without an import. */
declare global {
  var neu: Neu
  var uni: Neu
  var wx: Neu
  var getApp: typeof pages.getApp
  var getCurrentPages: typeof pages.getCurrentPages
}
