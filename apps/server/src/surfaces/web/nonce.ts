import { randomBytes } from 'node:crypto'

/** Creates the nonce of a response, for its content security policy. */
export const createNonce = () => randomBytes(16).toString('base64')
