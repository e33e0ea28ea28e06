export { countEvents, countReturningUsers, pruneAnalytics } from './countEvents.ts'
export { recordEvents } from './recordEvents.ts'
export { countByRelease, type ReleaseCounts } from './releaseCounts.ts'
