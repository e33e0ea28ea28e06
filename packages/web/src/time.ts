/** Units of time in ms. This package may not import the contract at run time. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
