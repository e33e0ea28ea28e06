import { fakeProviders } from '@souk/fake-providers'

// The fake providers, in a process that is not killed.
const options = { host: process.argv[2] ?? '127.0.0.1' }
const urls = Object.entries(fakeProviders).map(async ([name, { start }]) => [name, (await start(options)).url])
process.send?.(Object.fromEntries(await Promise.all(urls)))
process.once('disconnect', () => process.exit())
