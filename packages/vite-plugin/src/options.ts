import type { Os, Platform } from '@souk/pages'
import type { Replay } from './replay.ts'

export interface Options {
  /** Path of the mini app's folder or its pages.json, relative to the working directory (default: Vite's `root`). */
  project?: string
  /**
   * Target platform (default: `souk.platform` of package.json, else App). The environment variable SOUK_PLATFORM
   * overrides it in a vite.config.
   */
  platform?: Platform
  /** OS for defaults and conditions that differ between Android and iOS (default: Android). */
  os?: Os
  /** `serve` only: URL of the Souk server for logins, payments and so on, such as `http://localhost:7070`. */
  server?: string
  /** `serve` only: appid at that server (default: its first mini app). */
  appid?: string
  /** `serve` of App and Mini App only: answers calls and requests from a recording. */
  replay?: Replay
  /** Colors diagnostics in the terminal (default: if stderr is a TTY and NO_COLOR is not set). */
  colors?: boolean
}

/** Default output folder per platform, in the project's `dist`. */
export const outFolders: Readonly<Record<Platform, string>> = { H5: 'h5', App: 'app', 'Mini App': 'mini-app' }
