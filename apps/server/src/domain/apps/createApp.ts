import { capabilities, type consoleOperations, type ParametersOf, type ResultOf } from '@souk/contract'
import { newAppid, newSecret } from '../../kernel/id.ts'
import { announce } from '../../kernel/outbox.ts'
import type { AdminCaller } from '../caller.ts'
import type { Context } from '../context.ts'
import { audit, defaultProject, insertApp, insertSecret } from './store.ts'

type Operation = typeof consoleOperations.createApp

/**
 * Creates a mini app in the default project, with every capability and its first secret, which is shown here and never
 * again. A merchant is made when the first trade needs one.
 */
export async function createApp(
  context: Context,
  caller: AdminCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appid = newAppid()
  const secret = newSecret()
  const now = context.clock.now()
  const { name, language: defaultLanguage = 'en_US' } = input
  await context.sql.begin(async (tx) => {
    const projectId = await defaultProject(tx, now)
    await insertApp(tx, { appid, projectId, name, capabilities, defaultLanguage }, now)
    const secretId = await insertSecret(tx, context.vault, appid, secret, now)
    const detail = { name, language: defaultLanguage, secretId }
    await audit(tx, { time: now, actor: caller.kind, action: 'app.create', subject: appid, detail })
    await announce(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return { appid, secret }
}
