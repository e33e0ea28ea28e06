export { accountByKey, getApiKey, refreshApiKey, showApiKey } from './keys.ts'
