export { grantHostFunctions, listFunctionsOfHost } from './grants.ts'
export {
  listHostFunctionGrants,
  listHostFunctions,
  putHostFunction,
  removeHostFunction,
  revokeHostFunction,
} from './manageHostFunctions.ts'
export { listGrantedNames, listUndeclared } from './store.ts'
