/** For applications that hold mini apps. */
export type { Bars, Device, HostMethods, OverlayMethod, Overlays } from '../carrier.ts'
export type { AppManifest } from '../config.ts'
export { type DevelopmentOptions, developmentHost } from './developmentHost.ts'
export { type EntryStore, type HostStorage, hostStorage } from './hostStorage.ts'
export { default as MiniApp } from './MiniApp.vue'
