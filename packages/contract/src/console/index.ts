import { accountOperations } from './accounts.ts'
import { approvalOperations } from './approvals.ts'
import { appOperations } from './apps.ts'
import { callbackOperations } from './callbacks.ts'
import { doctorOperations } from './doctor.ts'
import { issuerOperations } from './issuers.ts'
import { keyOperations } from './keys.ts'
import { messageOperations } from './messages.ts'
import { moneyOperations } from './money.ts'
import { platformSettingsOperations } from './platformSettings.ts'
import { projectOperations } from './projects.ts'
import { providerOperations } from './providers.ts'
import { releaseOperations } from './releases.ts'
import { requestOperations } from './requests.ts'
import { sandboxOperations } from './sandbox.ts'
import { sessionOperations } from './sessions.ts'
import { signingKeyOperations } from './signingKeys.ts'
import { tradeOperations } from './trades.ts'
import { userOperations } from './users.ts'

/** Operations of the console and the command line (`/console/v1`). */
export const consoleOperations = {
  ...accountOperations,
  ...sessionOperations,
  ...keyOperations,
  ...projectOperations,
  ...appOperations,
  ...approvalOperations,
  ...releaseOperations,
  ...signingKeyOperations,
  ...tradeOperations,
  ...moneyOperations,
  ...providerOperations,
  ...callbackOperations,
  ...messageOperations,
  ...requestOperations,
  ...sandboxOperations,
  ...issuerOperations,
  ...platformSettingsOperations,
  ...userOperations,
  ...doctorOperations,
}

export {
  type ConsoleLanguage,
  consoleLanguages,
  type PasswordWeakness,
  passwordLength,
  passwordWeaknesses,
} from './accounts.ts'
export { type ChangeKind, type ChangeState, changeKinds } from './approvals.ts'
export { maxReplay } from './callbacks.ts'
export { type DoctorCheck, doctorChecks } from './doctor.ts'
export { defaultClaims, type TokenAlgorithm, tokenAlgorithms } from './issuers.ts'
export { keyRotationDays } from './keys.ts'
export { type CallbackFault, callbackFaults } from './sandbox.ts'
export { timelineEvents } from './trades.ts'
export { type HostUserState, hostUserStates } from './users.ts'
