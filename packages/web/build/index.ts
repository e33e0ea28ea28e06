export { compressed } from './compress.ts'
export { operationsModule } from './operations.ts'
