export { home } from './home.ts'
export { pruneActivities } from './pruneActivities.ts'
export { sandboxHome } from './sandboxHome.ts'
export { sendActivity } from './sendActivity.ts'
