/** What happened, in order, for the tests. */
const log = []
globalThis.log = log

export const note = (text) => log.push(text)
