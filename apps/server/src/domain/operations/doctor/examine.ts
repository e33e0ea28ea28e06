import {
  type consoleOperations,
  type DoctorCheck,
  doctorChecks,
  type ParametersOf,
  type ResultOf,
} from '@souk/contract'
import type { ConsoleCaller } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { checks } from './checks.ts'

type Examine = typeof consoleOperations.examine

/**
 * Runs one check of the installation, or all at the same time. A check that fails itself is an error of the
 * installation.
 */
export async function examine(
  context: Context<
    | 'accessTokenLifetime'
    | 'adminToken'
    | 'egress'
    | 'keyRingFile'
    | 'ledger'
    | 'mailer'
    | 'objects'
    | 'process'
    | 'proxies'
    | 'retention'
    | 'rules'
    | 'sendMessage'
    | 'stopping'
    | 'storage'
    | 'vault'
    | 'web'
  >,
  _caller?: ConsoleCaller,
  { check }: ParametersOf<Examine> = {},
): Promise<ResultOf<Examine>> {
  return Promise.all((check ? [check] : doctorChecks).map((each) => run(context, each)))
}

async function run(
  context: Context<
    | 'accessTokenLifetime'
    | 'adminToken'
    | 'egress'
    | 'keyRingFile'
    | 'ledger'
    | 'mailer'
    | 'objects'
    | 'process'
    | 'proxies'
    | 'retention'
    | 'rules'
    | 'sendMessage'
    | 'stopping'
    | 'storage'
    | 'vault'
    | 'web'
  >,
  check: DoctorCheck,
): Promise<ResultOf<Examine>[number]> {
  try {
    const { state, found, advice = null } = await checks[check](context)
    return { check, state, found, advice }
  } catch (error) {
    context.log.warn({ check, error: (error as Error).message }, 'a check of the installation failed')
    return { check, state: 'error', found: 'The check failed.', advice: 'Read the reason in the log of the server.' }
  }
}
