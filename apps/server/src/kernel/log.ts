import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** Creates a logger that writes one JSON object per line. Log selected fields only, never whole requests. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  return destination ? pino(options, destination) : pino(options)
}
