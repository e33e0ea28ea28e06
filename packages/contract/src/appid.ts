/** Form of application ids. */
export const appidPattern = /^[a-z][a-z0-9]{14}$/
