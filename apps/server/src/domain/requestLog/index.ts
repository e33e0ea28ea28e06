export { pruneRequestLog, RequestLog, type RequestLogEntry } from './requestLog.ts'
export { appOfRequest, getRequest, listRequests, searchRequests } from './requests.ts'
