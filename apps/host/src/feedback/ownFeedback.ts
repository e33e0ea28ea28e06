import { ref, watch } from 'vue'
import { call } from '../api/client.ts'
import { onServerEvent } from '../api/events.ts'
import { user } from '../api/session.ts'

/** Number of answers that the user has not seen. */
export const unreadAnswers = ref(0)

/** Keeps the number of unread answers in sync with the server for the signed-in user. Called once, by App.vue. */
export function startFeedbackSync(onAnswer: () => void): void {
  watch(
    () => user.value?.uid,
    () => {
      unreadAnswers.value = 0
    },
  )
  onServerEvent('feedback', (id) => {
    if (id !== undefined) onAnswer()
    void countUnread()
  })
}

async function countUnread(): Promise<void> {
  // Without a connection it is counted again when there is one.
  const found = await call('listOwnFeedback').catch(() => undefined)
  if (found) unreadAnswers.value = found.unread
}
