export * from './callbacks/index.ts'
export * from './ledger/index.ts'
export * from './payments/index.ts'
export * from './trades/index.ts'
