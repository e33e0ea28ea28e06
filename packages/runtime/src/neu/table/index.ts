import { account } from './account.ts'
import { app } from './app.ts'
import { bars } from './bars.ts'
import { canvas } from './canvas.ts'
import { device } from './device.ts'
import type { Entry } from './entry.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { missingFunctions } from './missing.ts'
import { navigation } from './navigation.ts'
import { network } from './network.ts'
import { overlays } from './overlays.ts'
import { page } from './page.ts'
import { sideWindows } from './sideWindows.ts'
import { storage } from './storage.ts'
import { system } from './system.ts'
import { tabs } from './tabs.ts'

/**
 * All functions of `neu`, by group. Types of the functions, names, checks and tables of the guides follow from it, see
 * ARCHITECTURE.md.
 */
export const groups = {
  navigation,
  bars,
  tabs,
  sideWindows,
  page,
  account,
  network,
  storage,
  overlays,
  system,
  app,
  device,
  files,
  canvas,
  events,
}

const functions = {
  ...navigation,
  ...bars,
  ...tabs,
  ...sideWindows,
  ...page,
  ...account,
  ...network,
  ...storage,
  ...overlays,
  ...system,
  ...app,
  ...device,
  ...files,
  ...canvas,
  ...events,
}

export type Table = typeof functions

/** The functions that Souk has on some platform. */
export const availableFunctions: Readonly<Record<string, Entry>> = functions

/** Those, and all of the ecosystem that are missing on every platform. */
export const allFunctions: Readonly<Record<string, Entry>> = { ...functions, ...missingFunctions }

export type { Entry } from './entry.ts'
export { missingFunctions } from './missing.ts'

/** Returns the options of a function that have no effect. */
export const ignoredOptions = ({ options = {} }: Entry): string[] =>
  Object.keys(options).filter((name) => options[name]!.isIgnored)
