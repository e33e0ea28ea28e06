export { compareClocks, DatabaseClock, requireRightClock, type Stoppable } from './databaseClock.ts'
export { getClock } from './getClock.ts'
export { loadClock, reloadClock } from './loadClock.ts'
export { moveClock } from './moveClock.ts'
