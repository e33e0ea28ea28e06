export { webApplication } from './application.ts'
export { compressed } from './compress.ts'
export { operationsModule } from './operations.ts'
