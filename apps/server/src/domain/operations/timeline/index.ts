export { getTradeStory } from './getTradeStory.ts'
