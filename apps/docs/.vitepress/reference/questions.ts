import type { HostQuestion } from '../../../../packages/contract/src/bridge.ts'

const once = 'The host asks the user once, until the mini app is closed'
const each = 'The host asks the user each time'

/** What the host asks before a function has an effect. */
export const questions: Readonly<Record<HostQuestion, string>> = {
  clipboard: `${each} before it reads the clipboard.`,
  camera: `${once}, before it uses the camera.`,
  microphone: `${once}, before it records.`,
  location: `${once}, before it tells the position.`,
  motion: `${once}, before it reads the sensors.`,
  download: `${each} before it saves a file.`,
  share: `${each} before it shares something.`,
  miniApp: `${each} before it opens another mini app.`,
  application: `${each} before it opens another application.`,
  hostFunction: `${each}, unless the operator has declared no question for the function.`,
  messages: 'The host asks the user once whether the mini app may send messages.',
  consent: 'The host asks the user for consent to the scopes that they have not granted before.',
  payment: 'The host shows the cashier, in which the user confirms the payment.',
  place: 'The user chooses the place on a map of the host.',
  notice: 'The host shows a notice when the mini app is opened for the first time.',
  inspection: 'The host asks the user before somebody inspects the mini app.',
}
