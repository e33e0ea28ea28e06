import { type ConsoleLanguage, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/id.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { type Account, insertAccount } from './store.ts'

/** Input of `createAccount`. The password is hashed beforehand, since hashing is too slow for a transaction. */
export interface NewAccount {
  username: string
  name: string
  language: ConsoleLanguage | undefined
  hashedPassword: string
  administrator: boolean
}

/**
 * Creates an account in the transaction that has authorized it.
 * @throws SoukError `username_taken`
 */
export async function createAccount(
  context: Context,
  tx: Tx,
  address: string | undefined,
  { username, name, language = 'en', hashedPassword: password, administrator }: NewAccount,
): Promise<Account> {
  const account: Account = {
    accountId: newId(),
    username: username.toLowerCase(),
    name,
    language,
    administrator,
    ctime: context.clock.real(),
  }
  if (!(await insertAccount(tx, { ...account, password }))) throw new SoukError('username_taken', 'Choose another one.')
  const { accountId } = account
  const self = { kind: 'account', accountId, administrator, via: 'session', ...(address && { address }) } as const
  await audit(context, tx, self, {
    action: 'account.create',
    subject: accountId,
    detail: { username: account.username, administrator },
  })
  return account
}
