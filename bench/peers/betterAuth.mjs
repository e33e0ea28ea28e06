// A node:http server that verifies a key with the API key plugin of better-auth and then runs the same select as Souk,
// with a pool of the same size. It uses a separate schema in the same database, and the plugin's default settings
// except for the rate limit, which allows ten requests a day.
import { createServer } from 'node:http'
import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import pg from 'pg'

const { url, keys: wanted, select } = JSON.parse(process.argv[2])
const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c search_path=better_auth' })
await pool.query('create schema if not exists better_auth')

const options = {
  database: pool,
  secret: 'a secret of the bench, at least 32 characters',
  baseURL: 'http://127.0.0.1',
  emailAndPassword: { enabled: true },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [apiKey({ rateLimit: { enabled: false } })],
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)

const { user } = await auth.api.signUpEmail({
  body: { name: 'Bench', email: 'bench@example.com', password: 'a long password' },
})
const keys = []
for (let i = 0; i < wanted; i++)
  keys.push((await auth.api.createApiKey({ body: { userId: user.id, name: `key ${i}` } })).key)

const server = createServer(async (request, response) => {
  try {
    const { valid } = await auth.api.verifyApiKey({ body: { key: request.headers['x-api-key'] ?? '' } })
    if (!valid) return void response.writeHead(401, { 'content-length': 0 }).end()
    const { rows } = await pool.query({ name: 'datasets', text: select.text, values: select.values })
    const body = JSON.stringify({ items: rows, next: null })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
  } catch (error) {
    const body = String(error)
    response.writeHead(500, { 'content-length': Buffer.byteLength(body) }).end(body)
  }
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port, keys }))
