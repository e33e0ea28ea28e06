// The baseline for accessToken: oidc-provider in its own process, with an adapter for the same PostgreSQL. Its code
// grant issues an opaque access token; it signs no ID token, which would take longer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'
import { connect } from '../apps/server/src/kernel/db/pool.ts'

const [url = ''] = process.argv.slice(2)
const sql = connect(url)
await sql`
  create table if not exists bench_oidc (
    model text, id text, payload jsonb not null, consumed bigint, primary key (model, id))`

class DatabaseAdapter implements Adapter {
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    await sql`
      insert into bench_oidc (model, id, payload) values (${this.#model}, ${id}, ${sql.json(payload as never)})
      on conflict (model, id) do update set payload = excluded.payload`
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await sql<{ payload: AdapterPayload; consumed: number | null }[]>`
      select payload, consumed from bench_oidc where model = ${this.#model} and id = ${id}`
    return row && { ...row.payload, ...(row.consumed !== null && { consumed: row.consumed }) }
  }

  async consume(id: string): Promise<void> {
    await sql`
      update bench_oidc set consumed = ${Math.floor(Date.now() / 1000)} where model = ${this.#model} and id = ${id}`
  }

  async destroy(id: string): Promise<void> {
    await sql`delete from bench_oidc where model = ${this.#model} and id = ${id}`
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await sql`delete from bench_oidc where model = ${this.#model} and payload->>'grantId' = ${grantId}`
  }

  findByUserCode = async () => undefined
  findByUid = async () => undefined
}

const clientId = 'bench'
const clientSecret = 'a secret of the bench, at least 32 characters'
const redirectUri = 'https://backend.example.com/signed-in'
const provider = new Provider('http://127.0.0.1', {
  adapter: DatabaseAdapter,
  clients: [
    {
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['user'],
  pkce: { required: () => false },
  ttl: { AuthorizationCode: 300 },
  findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
})
const client = (await provider.Client.find(clientId))!
const accountId = 'user'
const grantId = await new provider.Grant({ accountId, clientId }).save()

/** Stores codes and returns the requests that exchange them. */
async function createRequests(count: number): Promise<string[]> {
  const codes = await Promise.all(
    Array.from({ length: count }, () =>
      new provider.AuthorizationCode({
        accountId,
        client,
        grantId,
        redirectUri,
        expiresWithSession: false,
        scope: 'user',
        gty: 'authorization_code',
      }).save(),
    ),
  )
  return codes.map((code) =>
    new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    }).toString(),
  )
}

process.on('message', async (count: number) => process.send?.(await createRequests(count)))

const handle = provider.callback()
const server = createServer((request, response) => void handle(request, response))
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
