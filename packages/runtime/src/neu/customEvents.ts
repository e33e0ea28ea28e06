import type { Build } from '../build.ts'
import { reportCustomEvent } from '../carriers/reportEvent.ts'

let loadDeclared: Build['customEvents']

/** Sets what loads the declarations of the project, in development only. */
export function setCustomEvents(load: Build['customEvents']): void {
  loadDeclared = load
}

/** Reports that something happened, for the analytics of the mini app. In development it says what will be refused. */
export function reportEvent(name: string, fields: { [name: string]: string | number | boolean } = {}): void {
  if (loadDeclared) {
    const given = { ...fields }
    Promise.all([loadDeclared(), import('./customEventHint.ts')]).then(([declared, { hintOf }]) => {
      const hint = hintOf(declared, name, given)
      if (hint !== undefined) console.warn(`reportEvent: ${hint}`)
    })
  }
  reportCustomEvent(name, fields)
}
