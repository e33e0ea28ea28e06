export { newestOfLists } from './newest.store.ts'
