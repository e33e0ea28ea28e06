export { compressed } from './compress.ts'
export { separateIcons } from './icons.ts'
export { operationsModule } from './operations.ts'
