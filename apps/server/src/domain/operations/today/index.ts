export { getCounters } from './getCounters.ts'
export { listAppFigures } from './listAppFigures.ts'
export { listIncidents } from './listIncidents.ts'
export { listProjectFigures } from './listProjectFigures.ts'
