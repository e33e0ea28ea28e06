export * from './textColor.ts'
export * from './tokens.ts'
