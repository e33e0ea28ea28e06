import { type consoleOperations, day, type ParametersOf, type ResultOf, SoukError, second } from '@souk/contract'
import { newSecret } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { insertSecret, lockApp, updateSecretsEnd } from './store.ts'

type Operation = typeof consoleOperations.rotateSecret

/** Default time for which the old secret remains valid, in seconds. */
const defaultOverlap = day / second

/**
 * Creates a new secret for a mini app, which is valid immediately and shown only once. Older secrets expire after
 * `overlap` seconds, or earlier if a previous rotation said so (ADR 31).
 * @throws SoukError `app_not_found`
 */
export async function rotateSecret(
  context: Context<'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const { appid, overlap = defaultOverlap } = input
  const secret = newSecret()
  const now = context.clock.now()
  await context.sql.begin(async (tx) => {
    // Without the lock, concurrent rotations would leave each other's new secret without an end.
    const projectId = await lockApp(tx, appid)
    if (projectId === undefined) throw new SoukError('app_not_found', `appid: ${appid}`)
    // 0 instead of now, so that setting back a sandbox's clock does not revive it.
    await updateSecretsEnd(tx, appid, overlap === 0 ? 0 : now + overlap * second, now)
    const secretId = await insertSecret(tx, context.vault, appid, secret, now)
    await audit(context, tx, caller, {
      action: 'app.rotateSecret',
      subject: appid,
      projectId,
      detail: { secretId, overlap },
    })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return { secret }
}
