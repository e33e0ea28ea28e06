import { Type } from 'typebox'
import { Long, Nullable } from '../schemas.ts'

export const Uid = Long({
  minimum: 1,
  description: 'Host user id; `payer` of a trade.',
  'x-allowed': 'must be a user id',
})

/** A user of the host application. */
export const HostUser = Type.Object({
  uid: Uid,
  nickName: Type.String(),
  avatar: Type.String({ description: 'URL of the profile photo, or of a generated one.' }),
  email: Nullable(Type.String()),
  country: Nullable(Type.String()),
  phone: Nullable(Type.String()),
})

/** A new session of a host user. */
export const HostSession = Type.Object({
  session: Type.String({ description: 'Bearer token of the host session.' }),
  expire: Type.Integer({ description: 'Lifetime, s.' }),
  user: HostUser,
})
