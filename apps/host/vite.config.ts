import { join } from 'node:path'
import { hostOperations } from '@souk/contract'
import { operationsModule, webApplication } from '@souk/web/build'
import vue from '@vitejs/plugin-vue'

export default webApplication({
  root: import.meta.dirname,
  base: '/host/',
  plugins: [vue(), operationsModule(hostOperations)],
  build: {
    rolldownOptions: { input: ['index.html', 'embed.html'].map((file) => join(import.meta.dirname, file)) },
  },
  proxied: ['/host/v1', '/console/v1', '/files', '/mini', '/web-view'],
})
