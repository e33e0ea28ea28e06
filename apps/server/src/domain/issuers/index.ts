export { exchangeToken } from './exchangeToken.ts'
export { addIssuer, explainUnreachable, listIssuers, removeIssuer } from './manageIssuers.ts'
