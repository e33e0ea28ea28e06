import { type Component, shallowRef } from 'vue'

/** What the user is asked before an action. */
export interface Question {
  title: string
  /** What happens, one paragraph each. */
  text: string | readonly string[]
  /** The object as an identifier or address, shown above the text. */
  about?: string | undefined
  confirmText: string
  danger?: boolean
  /** Field for a text that the action takes, such as a reason. It has the text as its model. */
  field?: Component
  /** The action. The dialog closes when it is done, and shows the problem if it fails. */
  run: (entered: string) => Promise<unknown>
}

/** The question that is open. */
export const question = shallowRef<Question>()

/** Returns a function that asks before an action. One dialog serves all pages. */
export const useConfirm = () => (asked: Question) => {
  question.value = asked
}
