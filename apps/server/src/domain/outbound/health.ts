import { day } from '@souk/contract'

/** How long a receiver may acknowledge nothing before it is shown as failing, in ms. */
export const failingAfter = day

/** Period of failed attempts, without an acknowledgement in between, after which a receiver is disabled, in ms. */
export const disabledAfter = 5 * day
