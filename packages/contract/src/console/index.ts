import { accountOperations } from './accounts.ts'
import { adminTokenOperations } from './adminToken.ts'
import { alertOperations } from './alerts.ts'
import { analyticsOperations } from './analytics.ts'
import { approvalOperations } from './approvals.ts'
import { appOperations } from './apps.ts'
import { backupOperations } from './backups.ts'
import { blockOperations } from './blocks.ts'
import { callbackOperations } from './callbacks.ts'
import { canaryOperations } from './canaries.ts'
import { customEventOperations } from './customEvents.ts'
import { consoleDatasetOperations } from './datasets.ts'
import { doctorOperations } from './doctor.ts'
import { eventOperations } from './events.ts'
import { factorOperations } from './factors.ts'
import { feedbackOperations } from './feedback.ts'
import { hostFunctionOperations } from './hostFunctions.ts'
import { imageOperations } from './images.ts'
import { inspectionOperations } from './inspections.ts'
import { issuerOperations } from './issuers.ts'
import { keyRingOperations } from './keyRing.ts'
import { keyOperations } from './keys.ts'
import { mailOperations } from './mail.ts'
import { messageOperations } from './messages.ts'
import { moneyOperations } from './money.ts'
import { platformSettingsOperations } from './platformSettings.ts'
import { projectOperations } from './projects.ts'
import { providerOperations } from './providers.ts'
import { releaseOperations } from './releases.ts'
import { requestOperations } from './requests.ts'
import { reviewOperations } from './reviews.ts'
import { sandboxOperations } from './sandbox.ts'
import { searchOperations } from './search.ts'
import { serviceAccountOperations } from './serviceAccounts.ts'
import { sessionOperations } from './sessions.ts'
import { signingKeyOperations } from './signingKeys.ts'
import { signOnOperations } from './signOn.ts'
import { todayOperations } from './today.ts'
import { tradeOperations } from './trades.ts'
import { userScopeOperations } from './userScopes.ts'
import { userOperations } from './users.ts'
import { versionOperations } from './versions.ts'

/** Operations of the console and the command line (`/console/v1`). */
export const consoleOperations = {
  ...accountOperations,
  ...sessionOperations,
  ...mailOperations,
  ...serviceAccountOperations,
  ...keyOperations,
  ...projectOperations,
  ...appOperations,
  ...alertOperations,
  ...analyticsOperations,
  ...customEventOperations,
  ...approvalOperations,
  ...blockOperations,
  ...releaseOperations,
  ...imageOperations,
  ...reviewOperations,
  ...canaryOperations,
  ...signingKeyOperations,
  ...todayOperations,
  ...tradeOperations,
  ...moneyOperations,
  ...providerOperations,
  ...callbackOperations,
  ...messageOperations,
  ...feedbackOperations,
  ...inspectionOperations,
  ...requestOperations,
  ...consoleDatasetOperations,
  ...searchOperations,
  ...sandboxOperations,
  ...issuerOperations,
  ...userScopeOperations,
  ...hostFunctionOperations,
  ...signOnOperations,
  ...platformSettingsOperations,
  ...eventOperations,
  ...userOperations,
  ...doctorOperations,
  ...keyRingOperations,
  ...adminTokenOperations,
  ...factorOperations,
  ...versionOperations,
  ...backupOperations,
}

export {
  type ConfirmationMethod,
  type ConsoleLanguage,
  confirmationMethods,
  consoleLanguages,
  type IdentityMethod,
  type PendingSignIn,
} from './accounts.ts'
export { type ChangeKind, type ChangeState, changeKinds } from './approvals.ts'
export { maxReplay } from './callbacks.ts'
export { type DoctorCheck, doctorChecks } from './doctor.ts'
export {
  type DoctorArguments,
  type DoctorCode,
  type DoctorSentence,
  doctorCodes,
  doctorSentence,
  doctorSentences,
  inEnglish,
} from './doctorSentences.ts'
export {
  type EventDeliveryState,
  type EventEndpointState,
  eventDeliveryStates,
  eventEndpointStates,
  maxEventEndpoints,
  maxEventReplay,
} from './events.ts'
export { maxPasskeys, recoveryCodeCount } from './factors.ts'
export { defaultClaims, type TokenAlgorithm, tokenAlgorithms } from './issuers.ts'
export { type KeyState, keyStates, rotationPhases } from './keyRing.ts'
export { keyRotationDays } from './keys.ts'
export { type MailKind, mailKinds } from './mail.ts'
export { type InstallationList, type ProjectList, projectLists } from './projects.ts'
export { maxProviderAccounts } from './providers.ts'
export { type QueueKind, type QueueState, queueKinds, queueStates } from './reviews.ts'
export { type CallbackFault, callbackFaults, maxClockMoves } from './sandbox.ts'
export { serviceAccountDays } from './serviceAccounts.ts'
export { defaultSuspensionDays } from './signOn.ts'
export { maxListed, maxTotal, type PageTotal, searchedRows } from './surface.ts'
export { maxCounter } from './today.ts'
export { type RefundExtent, refundExtents, timelineEvents } from './trades.ts'
export { type HostUserState, hostUserStates } from './users.ts'
