export { createUser } from './createUser.ts'
export { listSandboxUsers, listUsers } from './listSandboxUsers.ts'
export { me, sessionUser, signIn, signOut } from './sessions.ts'
export { findUser, knownOpenIds, openIdOf, openIdsOf, unionIdOf, usersByOpenId } from './store.ts'
