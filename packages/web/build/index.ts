export { compressed } from './compress.ts'
export { usedWeights } from './fonts.ts'
export { separateIcons } from './icons.ts'
export { operationsModule } from './operations.ts'
