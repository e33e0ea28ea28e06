import { early } from './early.js'

export default (app) => {
  app.config.globalProperties.$early = JSON.stringify(early)
}
