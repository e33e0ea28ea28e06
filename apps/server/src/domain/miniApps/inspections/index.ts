export { endInspection, leaveInspection, pruneInspections } from './end.ts'
export { reportToInspection, sendToInspected } from './messages.ts'
export { answerInspection, createInspection, showInspection } from './pairing.ts'
export {
  connectSide,
  disconnectSide,
  findSide,
  type InspectionSide,
  readMessages,
  readState,
  touchSide,
} from './streams.ts'
