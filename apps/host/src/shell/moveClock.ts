import type { consoleOperations, ResultOf } from '@souk/contract'

type Console = typeof consoleOperations

/** Thrown if the browser has no console session of an administrator. Only administrators may move the clock. */
export class NotAdministratorError extends Error {}

/**
 * Moves the sandbox clock forward by `forward` ms, or resets it, using the console session of this browser. The new
 * time arrives with the event stream.
 *
 * @throws NotAdministratorError
 */
export async function moveClock(change: { forward: number } | { reset: true }): Promise<void> {
  const session = await fetch('/console/v1/session')
  if (session.status === 401) throw new NotAdministratorError()
  const { csrfToken } = (await session.json()) as ResultOf<Console['getSession']>
  const response = await fetch('/console/v1/sandbox/clock', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Souk-CSRF': csrfToken },
    body: JSON.stringify(change),
  })
  if (response.status === 403) throw new NotAdministratorError()
  if (!response.ok) throw new Error(`The clock could not be moved: HTTP ${response.status}`)
}
