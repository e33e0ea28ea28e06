import type { Os, Platform } from '@souk/pages'

export interface Options {
  /** The mini app: its folder or its pages.json. Without it, vite's root. */
  project?: string
  /** Without it the variable SOUK_PLATFORM says it, else H5. */
  platform?: Platform
  /** Whose conventions count where the document tells Android from iOS (default: Android). */
  os?: Os
  /** In development: address of the Souk server that logins, payments and so on are rehearsed with, such as `http://localhost:7070`. */
  server?: string
  /** In development: the app's id at that server. */
  appid?: string
  /** Colours in the terminal; without it where there is one. */
  colors?: boolean
}

/** The folder under `dist` that a platform's release goes to. */
export const outFolders: Readonly<Record<Platform, string>> = { H5: 'h5', App: 'app', 'Mini App': 'mini-app' }
