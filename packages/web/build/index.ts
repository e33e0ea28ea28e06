export { webApplication } from './application.ts'
export { compress, compressed } from './compress.ts'
export { operationsModule } from './operations.ts'
