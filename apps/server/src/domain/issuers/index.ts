export { exchangeToken } from './exchangeToken.ts'
export { addIssuer, listIssuers, removeIssuer } from './manageIssuers.ts'
