import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newSecret } from '../../kernel/id.ts'
import { announce } from '../../kernel/outbox.ts'
import { audit } from '../audit/index.ts'
import type { ConsoleCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { expireSecrets, insertSecret, lockApp } from './store.ts'

type Operation = typeof consoleOperations.rotateSecret

/** How long the old secret goes on when the owner does not say, seconds. */
const DEFAULT_OVERLAP = 86_400

/**
 * Gives a mini app a new secret, shown here and never again, that counts at once. The old one ends after `overlap`
 * seconds, or before where an earlier rotation said so; with an overlap of 0 at once (ADR 31).
 * @throws SoukError app_not_found
 */
export async function rotateSecret(
  context: Context,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, overlap = DEFAULT_OVERLAP } = input
  const secret = newSecret()
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    // Two rotations at once would each leave the other's new secret without an end.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
    // 0, not now: setting a sandbox's clock back must not bring it to life again.
    await expireSecrets(tx, appid, overlap === 0 ? 0 : now + overlap * 1000, now)
    const secretId = await insertSecret(tx, context.vault, appid, secret, now)
    await audit(context, tx, caller, {
      action: 'app.rotateSecret',
      subject: appid,
      projectId,
      detail: { secretId, overlap },
    })
    await announce(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return { secret }
}
