import { computed, onScopeDispose, type Ref, ref } from 'vue'

/** Offset between the server's domain clock (trades, messages) and this device, ms; sent with the server's events. */
export const clockOffset = ref(0)

/** Returns the current time of the domain clock in ms; a sandbox can move that clock. */
export function domainNow(): number {
  return Date.now() + clockOffset.value
}

/** Returns `domainNow()` as a ref, updated every `interval` ms and whenever the clock is moved. */
export function useDomainNow(interval: number): Ref<number> {
  const real = ref(Date.now())
  const timer = setInterval(() => {
    real.value = Date.now()
  }, interval)
  onScopeDispose(() => clearInterval(timer))
  return computed(() => real.value + clockOffset.value)
}
