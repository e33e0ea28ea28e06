import type { consoleOperations, ResultOf } from '@souk/contract'

type Console = typeof consoleOperations

/** The clock belongs to the whole installation, so the console moves it, for its administrators. */
export class NotAdministrator extends Error {}

/**
 * Moves the clock of the sandbox forward by this many ms, or back to real time, as whoever is signed in to the console in
 * this browser. The live events then tell the new time to everybody.
 *
 * @throws NotAdministrator where that is nobody, or nobody who may
 */
export async function moveClock(change: { forward: number } | { reset: true }): Promise<void> {
  const asked = await fetch('/console/v1/session')
  if (asked.status === 401) throw new NotAdministrator()
  const { csrfToken } = (await asked.json()) as ResultOf<Console['getSession']>
  const answer = await fetch('/console/v1/sandbox/clock', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Souk-CSRF': csrfToken },
    body: JSON.stringify(change),
  })
  if (answer.status === 403) throw new NotAdministrator()
  if (!answer.ok) throw new Error(`The clock could not be moved: HTTP ${answer.status}`)
}
