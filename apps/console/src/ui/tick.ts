import { ref } from 'vue'

/** Changes every ten seconds, so that relative times stay right. */
export const tick = ref(0)

setInterval(() => {
  tick.value += 1
}, 10_000)
