import { computed, ref } from 'vue'

const width = ref(innerWidth)
addEventListener('resize', () => {
  width.value = innerWidth
})

/** Returns whether the window is narrower than `px`. */
export const useNarrower = (px: number) => computed(() => width.value < px)
