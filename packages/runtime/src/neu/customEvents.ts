import type { Build } from '../build.ts'
import { reportCustomEvent } from '../carriers/reportEvent.ts'
import { jsonOf } from './jsonOf.ts'

let loadDeclared: Build['customEvents']

/** Sets what loads the declarations of the project, in development only. */
export function setCustomEvents(load: Build['customEvents']): void {
  loadDeclared = load
}

/**
 * Reports that something happened, for the analytics of the mini app. In development it says what will be refused.
 * Never throws: a mistake in a report must not stop the mini app.
 */
export function reportEvent(name: string, fields: { [name: string]: string | number | boolean } = {}): void {
  try {
    const text = jsonOf(fields, 'fields')
    if (__SOUK_DEV__ && loadDeclared) showHint(loadDeclared, name, JSON.parse(text))
    reportCustomEvent(String(name), text)
  } catch (error) {
    warn(error)
  }
}

function showHint(load: NonNullable<Build['customEvents']>, name: string, fields: object): void {
  Promise.all([load(), import('./customEventHint.ts')])
    .then(([declared, { hintOf }]) => {
      const hint = hintOf(declared, name, fields)
      if (hint !== undefined) console.warn(`reportEvent: ${hint}`)
    })
    .catch(warn)
}

const warn = (error: unknown) => console.warn(`reportEvent:fail ${Object(error).message ?? 'invalid arguments'}`)
