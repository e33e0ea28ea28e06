// Limiters of rate-limiter-flexible with the stores that the bench compares.
import { Redis } from 'ioredis'
import pg from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis } from 'rate-limiter-flexible'

const limit = { points: 1_000_000_000, duration: 2 }

/** Returns limiters by name: `consume` counts a request, `stop` closes the connection. */
export async function createLimiters(databaseUrl, redisPort) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const postgres = await new Promise((resolve, reject) => {
    const limiter = new RateLimiterPostgres({ ...limit, storeClient: pool, clearExpiredByTimeout: false }, (error) =>
      error ? reject(error) : resolve(limiter),
    )
  })
  const redis = new Redis({ port: redisPort, lazyConnect: true })
  await redis.connect()
  const memory = new RateLimiterMemory(limit)
  const valkey = new RateLimiterRedis({ ...limit, storeClient: redis })
  return {
    consumers: {
      'rate-limiter-flexible, memory of one process': (key) => memory.consume(key),
      'rate-limiter-flexible, PostgreSQL': (key) => postgres.consume(key),
      'rate-limiter-flexible, Redis 7.0': (key) => valkey.consume(key),
    },
    async stop() {
      await pool.end()
      redis.disconnect()
    },
  }
}
