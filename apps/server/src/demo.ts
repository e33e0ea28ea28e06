import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FullContext } from './domain/context.ts'
import { createApp, existsAnyApp } from './domain/miniApps/index.ts'
import { createUser } from './domain/users/index.ts'
import { writeSecretFile } from './kernel/secretFile.ts'

/** The demo mini app that the first start of a sandbox creates. */
export interface Demo {
  appid: string
  /** Contains appid, secret and user ids; readable by the owner only. */
  file: string
}

const users = [
  { nickname: 'Layla', country: '+966', phone: '500000001', email: 'layla@example.com' },
  { nickname: '小明', country: '+86', phone: '13800000002', email: 'xiaoming@example.com' },
  { nickname: 'Sam', country: '+1', phone: '2025550103', email: 'sam@example.com' },
]

/**
 * Creates a demo mini app and mock users if the sandbox has no mini app yet, otherwise returns the existing ones.
 * Returns undefined if the sandbox has mini apps but no readable demo file.
 */
export async function createDemo(context: FullContext, dataDir: string): Promise<Demo | undefined> {
  const file = join(dataDir, 'demo.json')
  if (await existsAnyApp(context.sql)) {
    // Earlier versions left a damaged file when the disk was full.
    const stored = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => undefined)
    return stored && { appid: stored.appid, file }
  }
  const admin = { kind: 'admin' } as const
  const app = await createApp(context, admin, { name: 'Demo', language: 'en_US' })
  const created = []
  for (const user of users) created.push({ ...(await createUser(context, admin, user)), nickname: user.nickname })
  await writeSecretFile(file, `${JSON.stringify({ ...app, users: created }, null, 2)}\n`)
  return { appid: app.appid, file }
}
