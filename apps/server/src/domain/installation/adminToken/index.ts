export { authenticateAdmin } from './authenticateAdmin.ts'
export {
  type AdminTokenPlace,
  disableAdminToken,
  getAdminToken,
  prepareAdminToken,
  rotateAdminToken,
} from './manageAdminToken.ts'
export { deleteAdminToken } from './store.ts'
