import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import type { Tx } from '../../../kernel/db/pool.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { deleteUserCredentials, updateDisabledTime, withAvatar } from '../../users/index.ts'
import { liftState, recordBlock } from '../blocks/index.ts'
import { findHostUser, lockHostUser } from './store.ts'

type Operations = typeof consoleOperations
type HostUser = ResultOf<Operations['getHostUser']>
type Input = ParametersOf<Operations['disableHostUser']>

/** Disables a user: its sessions end, and it cannot sign in. @throws SoukError `user_not_found`, `user_erased` */
export async function disableHostUser(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  input: Input,
): Promise<HostUser> {
  return context.sql.begin((tx) => disable(context, tx, caller, input))
}

/** Enables a disabled user. @throws SoukError `user_not_found`, `user_erased` */
export async function enableHostUser(
  context: Context<'mailer' | 'vault'>,
  caller: ConsoleCaller,
  input: Input,
): Promise<HostUser> {
  return context.sql.begin((tx) => enableUserInTransaction(context, tx, caller, input))
}

async function disable(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { uid, reason }: Input,
): Promise<HostUser> {
  const user = await lockUser(tx, uid)
  const subject = { state: 'userDisabled', subject: String(uid), name: user.nickName } as const
  await recordBlock(context, tx, caller, subject, { reason, wasSet: user.state === 'disabled' })
  await updateDisabledTime(tx, uid, context.clock.real())
  await deleteUserCredentials(tx, uid)
  const detail = reason === undefined ? {} : { reason }
  await audit(context, tx, caller, { action: 'user.disable', subject: String(uid), detail })
  return withAvatar(context, (await findHostUser(tx, uid))!)
}

/** Enables a disabled user in the transaction of the caller. @throws SoukError `user_not_found`, `user_erased` */
export async function enableUserInTransaction(
  context: Context<'mailer' | 'vault'>,
  tx: Tx,
  caller: ConsoleCaller,
  { uid, answer }: { uid: number; answer?: string | undefined },
): Promise<HostUser> {
  await lockUser(tx, uid)
  await liftState(context, tx, caller, 'userDisabled', String(uid), answer)
  await updateDisabledTime(tx, uid, null)
  await audit(context, tx, caller, { action: 'user.enable', subject: String(uid) })
  return withAvatar(context, (await findHostUser(tx, uid))!)
}

/** @throws SoukError `user_not_found`, `user_erased` */
async function lockUser(tx: Tx, uid: number) {
  const state = await lockHostUser(tx, uid)
  if (state === undefined) throw new SoukError('user_not_found', `uid: ${uid}`)
  if (state === 'erased') throw new SoukError('user_erased')
  return (await findHostUser(tx, uid))!
}
