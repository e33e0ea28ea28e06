import { computed, onScopeDispose, type Ref, ref } from 'vue'

/** How far the clock of trades and messages is ahead of this device's, ms; what the server says over the live events. */
export const clockOffset = ref(0)

/** Now by the clock of trades and messages, which a sandbox can move, ms. */
export function domainNow(): number {
  return Date.now() + clockOffset.value
}

/** It for a component that shows times, looked at anew every `interval` ms and whenever the clock is moved. */
export function useDomainNow(interval: number): Ref<number> {
  const real = ref(Date.now())
  const timer = setInterval(() => {
    real.value = Date.now()
  }, interval)
  onScopeDispose(() => clearInterval(timer))
  return computed(() => real.value + clockOffset.value)
}
