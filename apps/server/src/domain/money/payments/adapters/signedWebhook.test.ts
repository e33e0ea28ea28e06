import { createHmac } from 'node:crypto'
import { providerNames, providers, second } from '@souk/contract'
import { expect, test } from 'vitest'
import { TestClock } from '../../../../../test/context.ts'
import type { FullContext } from '../../../context.ts'
import { type ProviderAccount, providerOf } from './index.ts'
import { WebhookRejected } from './port.ts'

const withSecrets = providerNames.filter((name) => Object.keys(providers[name].secrets.properties).length > 0)

test.each(withSecrets)('%s rejects webhooks that are signed with an empty or missing secret', async (provider) => {
  const clock = new TestClock()
  const context = { clock, settings: { publicUrl: 'http://souk.test' } } as unknown as FullContext
  const body = '{"cart_id":"1","object":"event","data":{"object":{}}}'
  const signed = (text: string) => createHmac('sha256', '').update(text).digest('hex')
  const time = clock.real() / second
  const headers = {
    signature: signed(body),
    'cko-signature': signed(body),
    'stripe-signature': `t=${time},v1=${signed(`${time}.${body}`)}`,
  }
  const empty = Object.fromEntries(Object.keys(providers[provider].secrets.properties).map((name) => [name, '']))
  for (const secrets of [empty, {}]) {
    const account = { providerAccountId: 'a'.repeat(32), provider, settings: {}, secrets } as unknown as ProviderAccount
    await expect(providerOf(context, account).webhook(Buffer.from(body), headers)).rejects.toThrow(WebhookRejected)
  }
})
