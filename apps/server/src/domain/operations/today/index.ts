export { listAppFigures } from './listAppFigures.ts'
export { listIncidents } from './listIncidents.ts'
