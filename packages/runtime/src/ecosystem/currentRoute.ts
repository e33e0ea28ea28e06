/* `$route`, for builds that mention it: the part of vue-router's current route that exists in mini apps. */
import { computed } from 'vue'
import { whenCreated } from '../stack/created.ts'
import { routeOf } from '../stack/route.ts'

whenCreated((app, vue) => {
  const route = computed(() => routeOf(app.top, app.config.launch))
  // Configurable, because vue-router defines it too.
  Object.defineProperty(vue.config.globalProperties, '$route', { configurable: true, get: () => route.value })
})
