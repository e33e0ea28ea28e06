export { findNewestOfLists } from './newest.store.ts'
