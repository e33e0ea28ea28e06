/**
 * Returns whether a key belongs to an input method. Safari ends the composition before the key that chose its text,
 * which has the code 229.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
