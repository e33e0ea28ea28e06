/** Events in order, read by the tests. */
const log = []
globalThis.log = log

export const note = (text) => log.push(text)
