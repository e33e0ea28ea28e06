import { type consoleOperations, type ParametersOf, type ResultOf, SoukError } from '@souk/contract'
import { newSecret } from '../../kernel/id.ts'
import { announce } from '../../kernel/outbox.ts'
import type { AdminCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { audit, endSecrets, insertSecret, lockApp } from './store.ts'

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
  caller: AdminCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, overlap = DEFAULT_OVERLAP } = input
  const secret = newSecret()
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    // Two rotations at once would each leave the other's new secret without an end.
    if (!(await lockApp(tx, appid))) throw new SoukError('app_not_found', `There is no mini app ${appid}.`)
    // 0, not now: setting a sandbox's clock back must not bring it to life again.
    await endSecrets(tx, appid, overlap === 0 ? 0 : now + overlap * 1000, now)
    const secretId = await insertSecret(tx, context.vault, appid, secret, now)
    await audit(tx, {
      time: now,
      actor: caller.kind,
      action: 'app.rotateSecret',
      subject: appid,
      detail: { secretId, overlap },
    })
    await announce(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return { secret }
}
