import type { Build } from '../build.ts'

type Load = NonNullable<Build['hostFunctions']>

let load: Load = async () => ({})

/** Sets what loads the schemas of the functions that the app calls; undefined if it calls none. */
export function setHostFunctions(loadSchemas: Load = load): void {
  load = loadSchemas
}

export const loadHostFunctions: Load = () => load()
