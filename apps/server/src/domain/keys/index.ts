export { accountByKey, accountByToken, getApiKey, refreshApiKey, showApiKey } from './keys.ts'
