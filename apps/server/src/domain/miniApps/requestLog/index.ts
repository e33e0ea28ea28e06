export { type RequestBodies, redactBodies } from './redactBodies.ts'
export { pruneRequestLog, RequestLog, type RequestLogEntry } from './requestLog.ts'
export { appOfRequest, getRequest, listRequests, searchRequests } from './requests.ts'
export { listRequestsOfTrade } from './store.ts'
