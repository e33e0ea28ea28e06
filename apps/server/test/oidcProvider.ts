import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import Provider, { type ClientMetadata } from 'oidc-provider'

/** An OpenID provider in this process. */
export interface TestProvider {
  /** Issuer, which is its URL. */
  issuer: string
  /** Signs a token as the provider signs its ID tokens. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>
  /** Registers a client. */
  register(client: ClientMetadata): Promise<void>
  /** Sets the claims of a user, who can sign in with any password. Without it, the name is that of the login. */
  setClaims(login: string, claims: JWTPayload): void
  /** Answers requests for a path with this from now on. */
  answer(path: string, answer: { status: number; body: string }): void
  /** Answers all requests as a provider again. */
  recover(): void
  /** Number of requests for its keys so far. */
  countKeyRequests(): number
  /** Replaces its signing key by one with another `kid`. */
  rotateKey(): Promise<void>
  stop(): Promise<void>
}

export interface TestProviderOptions {
  /** The name of its host, which decides whether its pages are of the same site as others. */
  hostname?: 'localhost' | '127.0.0.1'
}

/** Starts an OpenID provider on a free port of this machine. Its pages ask for any login and password. */
export async function startOidcProvider({ hostname = '127.0.0.1' }: TestProviderOptions = {}): Promise<TestProvider> {
  let handle: ReturnType<Provider['callback']> | undefined
  let keyRequests = 0
  const answers = new Map<string, { status: number; body: string }>()
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (answer) {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
      return
    }
    if (request.url === '/jwks') keyRequests++
    void handle!(request, response)
  })
  server.listen(0, hostname)
  await once(server, 'listening')
  const issuer = `http://${hostname}:${(server.address() as AddressInfo).port}`

  let key: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  let kid = 'key-0'
  const clients: ClientMetadata[] = []
  const users = new Map<string, JWTPayload>()
  async function start(): Promise<void> {
    const jwk = { ...(await exportJWK(key)), kid, alg: 'RS256', use: 'sig' }
    const provider = new Provider(issuer, {
      jwks: { keys: [jwk] },
      clients,
      claims: {
        openid: ['sub', 'hasgroups', '_claim_names', '_claim_sources'],
        profile: ['name', 'picture', 'locale', 'groups', 'phone_number', 'preferred_username'],
        email: ['email', 'email_verified'],
      },
      features: { backchannelLogout: { enabled: true } },
      // Without its dispatcher, which refuses addresses of this machine.
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as object),
      pkce: { required: () => true },
      findAccount: (_context, login) => ({
        accountId: login,
        claims: () => ({ name: login, ...users.get(login), sub: login }),
      }),
      // Users of the company are not asked for consent to its own application.
      async loadExistingGrant({ oidc }) {
        const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
        grant.addOIDCScope('openid profile email')
        await grant.save()
        return grant
      },
    })
    handle = provider.callback()
  }
  async function useNewKey(): Promise<void> {
    key = (await generateKeyPair('RS256', { extractable: true })).privateKey
    kid = `key-${Number(kid.slice(4)) + 1}`
    await start()
  }
  await useNewKey()
  return {
    issuer,
    sign: (claims, header = {}) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key),
    async register(client) {
      clients.push(client)
      await start()
    },
    setClaims: (login, claims) => void users.set(login, claims),
    answer: (path, answer) => void answers.set(path, answer),
    recover: () => answers.clear(),
    countKeyRequests: () => keyRequests,
    rotateKey: useNewKey,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** A browser at the pages of a provider, which keeps its cookies. */
export class ProviderBrowser {
  readonly #cookies = new Map<string, string>()

  /**
   * Opens a page of the provider, signs in as `login` if asked, and returns the address that it sends the browser to.
   */
  async signIn(url: string, login: string): Promise<URL> {
    const { origin } = new URL(url)
    let at = new URL(url)
    let form: URLSearchParams | undefined
    while (at.origin === origin) {
      const response = await this.#send(at, form)
      form = undefined
      const location = response.headers.get('location')
      if (location) at = new URL(location, at)
      else form = new URLSearchParams({ prompt: 'login', login, password: 'any' })
      if (response.status >= 400) throw new Error(`${at} responds with ${response.status}: ${await response.text()}`)
    }
    return at
  }

  async #send(url: URL, form: URLSearchParams | undefined): Promise<Response> {
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      headers: { Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      redirect: 'manual',
      ...(form && { body: form }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split(/=(.*)/s)
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }
}
