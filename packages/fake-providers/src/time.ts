/** Units of time in milliseconds, not those of the contract: real providers know nothing about Souk, nor do these. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
