export { avatarUrl, drawAvatar } from './avatar.ts'
export { createUser } from './createUser.ts'
export { listSandboxUsers, listUsers } from './listSandboxUsers.ts'
export { me, sessionUser, signIn, signOut } from './sessions.ts'
export {
  type CompanyProfile,
  ensureOpenId,
  ensureOpenIds,
  ensureUnionId,
  findUser,
  listOpenIds,
  listUsersByOpenId,
  saveCompanyUser,
} from './store.ts'
export { type IssuedTokens, issueTokens, refreshTokens, revokeToken } from './tokens.ts'
