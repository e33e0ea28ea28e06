import { call, type Result } from '../api/client.ts'
import { user } from '../api/session.ts'

/** Reads the mock users of a sandbox to whom the signed-in one can send cards. @throws Problem */
export async function otherUsers(signal: AbortSignal): Promise<Result<'listSandboxUsers'>> {
  return (await call('listSandboxUsers', {}, signal)).filter(({ uid }) => uid !== user.value?.uid)
}
