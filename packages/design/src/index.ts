export * from './textColour.ts'
export * from './tokens.ts'
