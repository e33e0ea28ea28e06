import type { Result } from '../../api/client.ts'

type Reconciliation = Result<'searchReconciliations'>['items'][number]

/** Returns the name of the compared provider account. */
export const accountOf = ({ accountName, account }: Reconciliation) => accountName ?? account.replace('provider:', '')

/** Returns the date of a compared day, which begins at midnight UTC. */
export const dayOf = (day: number) => new Date(day).toISOString().slice(0, 10)
