export { deliverDueEvents, startEventDelivery } from './deliver.ts'
export {
  getEventDelivery,
  replayEventDelivery,
  replayEvents,
  searchEventDeliveries,
  testEventEndpoint,
} from './deliveries.ts'
export { disableFailingEndpoints } from './disableFailingEndpoints.ts'
export { countDisabledEndpoints } from './endpoints.store.ts'
export {
  addEventEndpoint,
  explainFailingEndpoints,
  listEventEndpoints,
  removeEventEndpoint,
  rotateEventSecret,
  updateEventEndpoint,
} from './manageEndpoints.ts'
export { pruneEvents } from './pruneEvents.ts'
export { recordEvent, recordEventsOfType } from './recordEvent.ts'
export { deleteUserFromEvents, oldestDueDelivery } from './store.ts'
