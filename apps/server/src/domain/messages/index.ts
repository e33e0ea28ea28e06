export * from './events/index.ts'
export * from './jobs.ts'
export * from './mail/index.ts'
export * from './outbound/index.ts'
