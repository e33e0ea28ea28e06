/** `onNetworkStatusChange` and similar functions take a listener instead of options. */
export const takesListener = (name: string): boolean => /^o(n|ff)[A-Z]/.test(name)
