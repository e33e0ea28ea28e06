import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** Structured logs, one JSON object a line. What is logged is named field by field; no request is ever logged whole. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: () => `,"time":"${new Date().toISOString()}"` }
  return destination ? pino(options, destination) : pino(options)
}
