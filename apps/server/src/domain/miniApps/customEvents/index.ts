export { declareOfRelease } from './declareOfRelease.ts'
export { listCustomEvents, putCustomEvent, removeCustomEvent } from './manageCustomEvents.ts'
export { listDeclarations } from './store.ts'
