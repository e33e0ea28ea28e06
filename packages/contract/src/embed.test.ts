import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embedHandlers, embedPageNotifications, embedResults, embedVersion } from './embed.ts'

test('the guide lists every method, handler and notification, and the version', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/embedding.md'), 'utf8')
  for (const name of [...Object.keys(embedResults), ...embedHandlers]) expect(guide).toContain(`| \`${name}\` |`)
  for (const name of Object.keys(embedPageNotifications)) expect(guide).toContain(`| \`${name}\` (notification)`)
  expect(guide).toContain(`The version is ${embedVersion}.`)
})

test('malformed answers are refused with the field and what is allowed', () => {
  const place = { latitude: 24.7, longitude: 46.7, accuracy: 5, altitude: 600, speed: -1 }
  expect(embedResults.getLocation(place, 'result')).toEqual(place)
  expect(() => embedResults.getLocation({ ...place, latitude: 91 }, 'result')).toThrow('result.latitude must be')
  const answer = { version: 1, session: 'souk_session', handles: ['fly'] }
  expect(() => embedResults.initialize(answer, 'result')).toThrow('result.handles[0] must be one of share, scanCode')
  expect(() => embedResults.readStorage({ entries: [['cart']] }, 'result')).toThrow('a key and its data')
})
