import { readFileSync } from 'node:fs'
import { Souk } from '@souk/sdk'
import { Agent, fetch } from 'undici'

/** Trusts an authority of your own, and shows a certificate. A `ProxyAgent` connects by a proxy. */
const dispatcher = new Agent({
  connect: { ca: readFileSync('ca.pem'), cert: readFileSync('client.pem'), key: readFileSync('client.key') },
})

export const souk = new Souk({
  baseUrl: process.env.SOUK_URL ?? 'http://localhost:7070',
  appid: process.env.SOUK_APPID ?? '',
  secret: process.env.SOUK_SECRET ?? '',
  fetch: (url, init) => fetch(url, { ...init, dispatcher }),
})
