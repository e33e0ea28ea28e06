export { avatarSql, avatarUrl, drawAvatar, withAvatar } from './avatar.ts'
export { createUser } from './createUser.ts'
export { listSandboxUsers, listUsers } from './listSandboxUsers.ts'
export { endHostSession, me, sessionUser, signIn, startHostSession } from './sessions.ts'
export {
  type CompanyProfile,
  deleteProviderSessions,
  deleteUserCredentials,
  existsEnabledUser,
  findUser,
  listOpenIds,
  listOpenIdsAfter,
  listOpenIdsByPhone,
  listUsersByOpenId,
  lockUsers,
  updateDisabledTime,
  updateProfileToErased,
  upsertCompanyUser,
  upsertOpenId,
  upsertOpenIds,
  upsertUnionId,
} from './store.ts'
export { type IssuedTokens, issueTokens, refreshTokens, revokeToken } from './tokens.ts'
