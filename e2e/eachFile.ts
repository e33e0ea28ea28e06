import { registerHooks } from './browser.ts'

// Vitest runs this file before each test file, but imports other modules only once in a worker.
registerHooks()
