/** Functions that can answer before the services are loaded, by name. Their module adds them. */
export const answers: Record<string, (() => Promise<object>) | undefined> = {}
