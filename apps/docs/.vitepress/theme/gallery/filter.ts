import { ref } from 'vue'

/** The text that the names of shown attributes contain. */
export const filter = ref('')

/** Returns whether a name contains the filter. */
export const matches = (name: string) => name.toLowerCase().includes(filter.value.trim().toLowerCase())
