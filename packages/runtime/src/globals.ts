import type { Neu } from './neu/start.ts'
import type * as pages from './stack/pages.ts'

/** Globals that pages can use without an import. */
declare global {
  var neu: Neu
  var uni: Neu
  var wx: Neu
  /** The methods of the original platform are those without `$`. */
  interface Console {
    readonly $log: Console['log']
    readonly $info: Console['info']
    readonly $warn: Console['warn']
    readonly $error: Console['error']
  }
  var getApp: typeof pages.getApp
  var getCurrentPages: typeof pages.getCurrentPages
}
