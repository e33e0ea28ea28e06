import { expect, test } from 'vitest'
import { freshDatabase } from '../database.ts'
import { chaos } from './chaos.ts'

test('a server that is killed at any moment loses no trade, settles none twice, and agrees with the providers', async () => {
  const database = await freshDatabase()
  const output: string[] = []
  try {
    const seed = 7
    const { kills, figures, faults, violations } = await chaos({
      databaseUrl: database.url,
      kills: 3,
      seed,
      log: (text) => output.push(text),
    })
    expect([...violations, ...faults], output.join('\n')).toEqual([])
    expect(Object.values(kills).reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(figures.trades).toBeGreaterThan(5)
    expect(figures.paid).toBeGreaterThan(0)
  } finally {
    await database.drop()
  }
})
