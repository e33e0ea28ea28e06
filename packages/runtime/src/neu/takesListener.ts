/** Returns whether a function takes a listener instead of options, such as `onNetworkStatusChange`. */
export const takesListener = (name: string): boolean => /^o(n|ff)[A-Z]/.test(name)
