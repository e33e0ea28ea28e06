export { deliverMail } from './deliverMail.ts'
export { explainMail, getMail, pruneMails, sendTestMail } from './manageMail.ts'
export {
  queueMail,
  requireMail,
  sendNotice,
  sendToAccount,
  sendToAdministrators,
  sendToMembers,
  sendToRecipients,
} from './queueMail.ts'
