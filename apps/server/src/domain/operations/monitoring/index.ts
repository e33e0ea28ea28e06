export { measureInstallation } from './measureInstallation.ts'
