import { takesListener } from './takesListener.ts'

/** Returns what a function gives and takes by the form of its name, as far as the ecosystem follows one. */
export function kindByForm(name: string): 'async' | 'sync' | 'event' | 'object' {
  if (takesListener(name) || name.startsWith('report')) return 'event'
  if (name.endsWith('Sync')) return 'sync'
  return /^(create|require)[A-Z]|^get\w+(Manager|Adapter)$/.test(name) ? 'object' : 'async'
}
