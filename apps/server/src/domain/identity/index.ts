export { createUser } from './createUser.ts'
export { listSandboxUsers, listUsers } from './listSandboxUsers.ts'
export { me, sessionUser, signIn, signOut } from './sessions.ts'
export { ensureOpenId, ensureOpenIds, ensureUnionId, findUser, listOpenIds, listUsersByOpenId } from './store.ts'
