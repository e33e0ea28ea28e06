export { createAlertRule, deleteAlertRule, listAlertRules, muteAlertRule, updateAlertRule } from './manageRules.ts'
export { watchAlerts } from './watchAlerts.ts'
