export { getClock } from './getClock.ts'
export { loadClock } from './loadClock.ts'
export { moveClock } from './moveClock.ts'
