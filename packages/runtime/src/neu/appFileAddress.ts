import { currentCarrier } from '../carriers/current.ts'

/** Returns the address of a file that the app keeps. Empty, and reactive, until the files are read. */
export function appFileAddress(path: string): string {
  const { fileAddresses } = currentCarrier()
  if (!fileAddresses.has(path))
    void import('./appFiles.ts').then(({ loadAppFiles }) => loadAppFiles()).catch(console.warn)
  return fileAddresses.get(path) ?? ''
}
