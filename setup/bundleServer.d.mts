export function bundleServer(): Promise<void>
