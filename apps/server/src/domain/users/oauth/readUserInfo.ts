import { type openOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { TokenCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { avatarUrl } from '../identity/index.ts'
import { findTokenHolder } from './store.ts'

type Operation = typeof openOperations.userInfo

/**
 * Returns the profile of the user of an access token (open-api §4.3, open-api §2.4). Fields outside the token's scopes
 * are null, and so is what needs consent unless the user consents to it now (ADR 285). If the request has an appid, the
 * surface has checked its sign, and it must be the appid of the token.
 * @throws SoukError `access_token_invalid`, `appid_invalid` if the mini app is disabled, `app_archived`
 */
export async function readUserInfo(
  context: Context,
  { token }: TokenCaller,
  input: Pick<ParametersOf<Operation>, 'appid'>,
): Promise<ResultOf<Operation>> {
  if (input.appid !== undefined && input.appid !== token.appid) {
    throw new SoukError('access_token_invalid', 'It was issued to another appid.')
  }
  const holder = await findTokenHolder(context.sql, token)
  if (holder === undefined) throw new SoukError('access_token_invalid', 'Its user no longer exists or is disabled.')
  if (holder.revoked)
    throw new SoukError('access_token_invalid', 'It was revoked because its login code was used again.')
  if (!holder.appEnabled) throw new SoukError('appid_invalid', 'The mini app is disabled.')
  if (holder.appArchived) throw new SoukError('app_archived')

  const info = token.scopes.includes('user.info')
  const email = (info || token.scopes.includes('user.email')) && holder.consent.includes('user.email')
  const phone = token.scopes.includes('user.phone') && holder.consent.includes('user.phone')
  return {
    openId: token.openId,
    nickName: info ? holder.nickName : null,
    avatar: info ? avatarUrl(context, holder) : null,
    email: email ? holder.email : null,
    country: phone ? holder.country : null,
    phone: phone ? holder.phone : null,
    unionId: holder.unionId,
    attributes: holder.attributes,
  }
}
