import {
  cardPictureProblem,
  type hostOperations,
  type ParametersOf,
  type ResultOf,
  readCardData,
  SoukError,
} from '@souk/contract'
import { newId } from '../../../kernel/id.ts'
import { notifyUsers } from '../../../kernel/outbox.ts'
import type { HostUserCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { listEnabledApps } from '../apps/index.ts'
import { deleteOldCards, insertCard, lockUsers } from './store.ts'

type Send = typeof hostOperations.sendCard

/**
 * Puts a card into the conversation of two mock users of a sandbox. Of `extraData`, what is not JSON is left out, as
 * in the link of a card.
 *
 * @throws SoukError `parameter_invalid`, `app_not_found`, `user_not_found`
 */
export async function sendCard(
  context: Context,
  { uid: sender }: HostUserCaller,
  { uid: recipient, appid, title, path = '', imageUrl = '', extraData }: ParametersOf<Send>,
): Promise<ResultOf<Send>> {
  const problem = cardPictureProblem(imageUrl)
  if (problem) throw new SoukError('parameter_invalid', `${problem}.`, { data: { parameters: ['imageUrl'] } })
  const [app] = await listEnabledApps(context, [appid])
  if (!app) throw new SoukError('app_not_found')
  const cardId = newId()
  await context.sql.begin(async (tx) => {
    const known = await lockUsers(tx, [sender, recipient])
    if (!known.includes(sender)) throw new SoukError('session_invalid', 'Sign in.')
    if (!known.includes(recipient)) throw new SoukError('user_not_found', `uid: ${recipient}`)
    await insertCard(
      tx,
      { cardId, sender, recipient, appid, title, path, imageUrl, extraData: readCardData(extraData) ?? '' },
      context.clock.now(),
    )
    await deleteOldCards(tx, sender, recipient)
    await notifyUsers(tx, [{ uid: recipient, event: 'card', id: cardId }])
  })
  return { cardId }
}
