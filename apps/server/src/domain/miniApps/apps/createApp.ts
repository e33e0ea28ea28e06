import { capabilities, type consoleOperations, type ParametersOf, type ResultOf } from '@souk/contract'
import { newAppid, newSecret } from '../../../kernel/id.ts'
import { notify } from '../../../kernel/outbox.ts'
import type { ConsoleCaller } from '../../caller.ts'
import { isApprovedAtOnce, lockProject, requireActiveProject, upsertDefaultProject } from '../../console/index.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../installation/index.ts'
import { insertApp, insertSecret } from './store.ts'

type Operation = typeof consoleOperations.createApp

/**
 * Creates a mini app and its first secret, which is shown only once. It has all capabilities if changes of the project
 * need no approval, otherwise none, and host users do not see it before it is approved (ADR 283). `projectId` must
 * exist if given; otherwise the app is in the default project. The merchant is created with the first trade.
 */
export async function createApp(
  context: Context<'rules' | 'vault'>,
  caller: ConsoleCaller,
  input: ParametersOf<Operation>,
): Promise<ResultOf<Operation>> {
  const appid = newAppid()
  const secret = newSecret()
  const now = context.clock.now()
  const { name, language: defaultLanguage = 'en_US' } = input
  await context.sql.begin(async (tx) => {
    const projectId = input.projectId ?? (await upsertDefaultProject(tx, now))
    await lockProject(tx, projectId)
    await requireActiveProject(tx, projectId)
    const approved = await isApprovedAtOnce(context, tx, projectId)
    const granted = approved ? capabilities : []
    const app = { appid, projectId, name, capabilities: granted, publicationApproved: approved, defaultLanguage }
    await insertApp(tx, app, now)
    const secretId = await insertSecret(tx, context.vault, appid, secret, now)
    const detail = { name, language: defaultLanguage, secretId }
    await audit(context, tx, caller, { action: 'app.create', subject: appid, projectId, detail })
    await notify(tx, 'souk_app', appid)
  })
  context.apps.forget(appid)
  return { appid, secret }
}
