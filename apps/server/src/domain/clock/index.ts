export { comparisonInterval, followDatabaseClock } from './followDatabaseClock.ts'
export { getClock } from './getClock.ts'
export { loadClock, reloadClock } from './loadClock.ts'
export { moveClock } from './moveClock.ts'
