import type { Os, Platform } from '@souk/pages'

export interface Options {
  /** Path of the mini app's folder or of its pages.json, from the working directory (default: vite's `root`). */
  project?: string
  /** What to build for. Default: what the environment variable SOUK_PLATFORM names (`H5`, `App` or `Mini App`), else H5. */
  platform?: Platform
  /** Whose conventions count where the document tells Android from iOS (default: Android). */
  os?: Os
  /** For `serve` alone: address of the Souk server that logins, payments and so on are rehearsed with, such as `http://localhost:7070`. */
  server?: string
  /** For `serve` alone: the app's id at that server (default: its first mini app). */
  appid?: string
  /** Whether diagnostics in the terminal are coloured (default: where standard error is a terminal and NO_COLOR is not set). */
  colors?: boolean
}

/** Where the release for a platform goes unless told otherwise: the name of a folder in the project's `dist`. */
export const outFolders: Readonly<Record<Platform, string>> = { H5: 'h5', App: 'app', 'Mini App': 'mini-app' }
