export { moveContents, verifyObjects } from './move.ts'
export { collectObjects, explainStorage, storeObject, storesObjects, useObject } from './objects.ts'
export { openContent } from './openContent.ts'
export { countContents, existsObject } from './store.ts'
