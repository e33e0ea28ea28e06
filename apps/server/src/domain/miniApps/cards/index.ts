export { listCards } from './listCards.ts'
export { sendCard } from './sendCard.ts'
