import type { hostOperations, ResultOf } from '@souk/contract'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** Number of cards of two users that are kept. */
const maxCards = 50

/** Locks users that are not erased, so that no card outlives one, and returns them. */
export async function lockUsers(tx: Tx, uids: readonly number[]): Promise<number[]> {
  const rows = await tx<{ uid: number }[]>`
    select uid from users where uid = any(${[...uids]}) and erased_time is null order by uid for no key update`
  return rows.map(({ uid }) => uid)
}

/** A card to store. */
interface NewCard {
  cardId: string
  sender: number
  recipient: number
  appid: string
  title: string
  path: string
  imageUrl: string
  extraData: string
}

export async function insertCard(tx: Tx, card: NewCard, now: number): Promise<void> {
  await tx`
    insert into sandbox_cards (card_id, sender, recipient, appid, title, path, image_url, extra_data, ctime)
    values (
      ${card.cardId}, ${card.sender}, ${card.recipient}, ${card.appid}, ${card.title}, ${card.path}, ${card.imageUrl},
      ${card.extraData}, ${now})`
}

const between = (sql: Sql | Tx, one: number, other: number) => sql`
  ((sender = ${one} and recipient = ${other}) or (sender = ${other} and recipient = ${one}))`

/** Deletes all cards of two users but the newest ones. */
export async function deleteOldCards(tx: Tx, one: number, other: number): Promise<void> {
  await tx`
    delete from sandbox_cards where card_id in (
      select card_id from sandbox_cards where ${between(tx, one, other)} order by card_id desc offset ${maxCards})`
}

/** Returns the cards of two users as `uid` sees them, newest first. */
export async function listConversation(
  sql: Sql,
  uid: number,
  other: number,
): Promise<ResultOf<typeof hostOperations.listCards>> {
  return sql<ResultOf<typeof hostOperations.listCards>>`
    select card_id, sender = ${uid} as sent, appid, apps.name as app_name, title, path, image_url, extra_data, c.ctime
    from sandbox_cards c join apps using (appid)
    where ${between(sql, uid, other)} order by card_id desc`
}
