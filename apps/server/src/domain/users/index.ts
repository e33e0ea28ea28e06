export * from './identity/index.ts'
export * from './issuers/index.ts'
export * from './oauth/index.ts'
export * from './oidc/index.ts'
