import { Souk } from '@souk/sdk'

export const souk = new Souk({
  baseUrl: process.env.SOUK_URL ?? 'http://localhost:7070',
  appid: process.env.SOUK_APPID ?? '',
  secret: process.env.SOUK_SECRET ?? '',
})
