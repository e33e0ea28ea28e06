/** The complete `neu`. */
import { fallback } from './fallback.ts'
import { lookUp, provide } from './functions.ts'
import { serviceNames } from './names.generated.ts'
import './objects.ts'
import { later } from './start.ts'
import './storage.ts'
import './system.ts'

export { type Neu, neu, wx } from './start.ts'

provide(Object.fromEntries(serviceNames.map((name) => [name, later(name)])))

// Functions of the ecosystem that no platform supports fail instead of being undefined.
lookUp(fallback)
