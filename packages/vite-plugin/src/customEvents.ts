import { readDeclarations } from './declarations.ts'

/** Declarations of the events that a mini app reports, in the folder of pages.json. */
export const customEventsFile = 'custom-events.json'

/**
 * Reads the declarations of the events that a mini app reports, by name; none without the file. The server checks them.
 * @throws ConfigError if the file is not a JSON object
 */
export const readCustomEvents = (root: string): object => readDeclarations(root, customEventsFile)
