import type { App } from 'vue'
import type { RunningApp } from './app.ts'

type Install = (app: RunningApp, vue: App) => void

let created: Parameters<Install> | undefined
let waiting: Install | undefined

/** Calls `install` when the app is created, or immediately if it is. */
export function whenCreated(install: Install): void {
  if (created) install(...created)
  else waiting = install
}

/** Installs what waits for the app. */
export function installInto(app: RunningApp, vue: App): void {
  created = [app, vue]
  waiting?.(app, vue)
}
