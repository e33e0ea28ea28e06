export { createUser } from './createUser.ts'
export { listSandboxUsers } from './listSandboxUsers.ts'
export { me, sessionUser, signIn, signOut } from './sessions.ts'
export { findUser, openIdOf, type User, unionIdOf, usersByOpenId } from './store.ts'
