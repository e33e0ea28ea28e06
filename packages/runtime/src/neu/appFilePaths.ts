/** Folder for files that the app names itself. */
export const userFolder = 'souk-file://usr'

/** Checks if a path is one of the files that the app keeps after it is closed. */
export const isAppFile = (path: string): boolean => path.startsWith('souk-file:')
