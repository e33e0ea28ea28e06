export { pruneAttributes, storeAttributes } from './attributes.ts'
export { listOwnScopes } from './listOwnScopes.ts'
export { listUserScopes, putUserScope, removeUserScope } from './manageScopes.ts'
export { deleteUserAttributes, listUserScopeRows, lockUserScopes, type UserScope } from './store.ts'
