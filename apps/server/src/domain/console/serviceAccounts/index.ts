export { serviceAccountByToken } from './authenticate.ts'
export { addServiceAccount, listServiceAccounts, removeServiceAccount } from './manage.ts'
