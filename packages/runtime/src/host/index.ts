/** For applications that embed mini apps. */
export type { Bars, Device, HostMethods, OverlayMethod, Overlays } from '../carrier.ts'
export type { AppManifest } from '../config.ts'
export { ApiError } from '../neu/api.ts'
export { type DevelopmentOptions, developmentDomainRules, developmentHost } from './developmentHost.ts'
export { deviceMethods } from './deviceMethods.ts'
export { type EntryStore, type HostStorage, hostStorage } from './hostStorage.ts'
export { default as MiniApp } from './MiniApp.vue'
export { default as StatusBar } from './StatusBar.vue'
