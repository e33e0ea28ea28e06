import {
  type consoleOperations,
  type DoctorCheck,
  type DoctorSentence,
  doctorChecks,
  doctorSentence,
  inEnglish,
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
    const { state, found, advice } = await checks[check](context)
    return describe(check, state, [found].flat(), advice ? [advice] : [])
  } catch (error) {
    context.log.warn({ check, error: (error as Error).message }, 'a check of the installation failed')
    return describe(check, 'error', [doctorSentence('failed')], [doctorSentence('failedDo')])
  }
}

function describe(
  check: DoctorCheck,
  state: 'ok' | 'warning' | 'error',
  sentences: DoctorSentence[],
  actions: DoctorSentence[],
): ResultOf<Examine>[number] {
  const text = (all: DoctorSentence[]) => all.map(inEnglish).join(' ')
  return { check, state, found: text(sentences), advice: actions.length > 0 ? text(actions) : null, sentences, actions }
}
