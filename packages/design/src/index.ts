export * from './ink.ts'
export * from './tokens.ts'
