import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** A password to estimate, and what an attacker knows about its owner. */
export interface Estimation {
  password: string
  personal: string[]
}

/** `score` from 0, guessed immediately, to 4; `warning` is the pattern that makes a password weak, if there is one. */
export interface Estimate {
  score: number
  warning: string | null
}

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

parentPort!.on('message', ({ password, personal }: Estimation) => {
  const { score, feedback } = zxcvbn.check(password, personal)
  parentPort!.postMessage({ score, warning: feedback.warning } satisfies Estimate)
})
