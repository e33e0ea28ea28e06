import type { App } from 'vue'
import type { RunningApp } from './app.ts'

type Install = (app: RunningApp, vue: App) => void

let created: Parameters<Install> | undefined
const waiting: Install[] = []

/** Calls `install` when the app is created, or immediately if it is. */
export function whenCreated(install: Install): void {
  if (created) install(...created)
  else waiting.push(install)
}

/** Installs what waits for the app. */
export function installInto(app: RunningApp, vue: App): void {
  created = [app, vue]
  for (const install of waiting) install(app, vue)
}
