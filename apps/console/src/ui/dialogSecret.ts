import type { InjectionKey, Ref } from 'vue'

/** Set by a `SecretOnce` in a `ConfirmDialog`. */
export const dialogSecret: InjectionKey<Ref<boolean>> = Symbol('dialogSecret')
