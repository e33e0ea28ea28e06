/** Units of time in milliseconds. Not imported from the contract, whose entry would load in development builds. */
export const second = 1000
export const minute = 60 * second
