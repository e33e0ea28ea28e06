import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

/** An OpenID provider in this process. */
export interface TestProvider {
  /** Issuer, which is its URL. */
  issuer: string
  /** Signs a token as the provider signs its ID tokens. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }): Promise<string>
  /** Number of requests for its keys so far. */
  countKeyRequests(): number
  /** Replaces its signing key by one with another `kid`. */
  rotateKey(): Promise<void>
  stop(): Promise<void>
}

/** Starts an OpenID provider on a free port of this machine. */
export async function startOidcProvider(): Promise<TestProvider> {
  let handle: ReturnType<Provider['callback']> | undefined
  let keyRequests = 0
  const server = createServer((request, response) => {
    if (request.url === '/jwks') keyRequests++
    void handle!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  let key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  let kid = 'key-0'
  async function useNewKey(): Promise<void> {
    const pair = await generateKeyPair('RS256', { extractable: true })
    key = pair.privateKey
    kid = `key-${Number(kid.slice(4)) + 1}`
    const jwk = { ...(await exportJWK(pair.privateKey)), kid, alg: 'RS256', use: 'sig' }
    handle = new Provider(issuer, {
      jwks: { keys: [jwk] },
      features: { devInteractions: { enabled: false } },
    }).callback()
  }
  await useNewKey()
  return {
    issuer,
    sign: (claims, header = {}) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key),
    countKeyRequests: () => keyRequests,
    rotateKey: useNewKey,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
