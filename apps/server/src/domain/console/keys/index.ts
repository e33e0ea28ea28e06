export { accountByKey, getApiKey, refreshApiKey, showApiKey } from './keys.ts'
export { deleteKey } from './store.ts'
