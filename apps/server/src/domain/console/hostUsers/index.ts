export { disableHostUser, enableHostUser, enableUserInTransaction } from './enableUser.ts'
export { eraseHostUser } from './eraseUser.ts'
export { exportHostUser } from './exportUser.ts'
export { getHostUser, searchHostUsers } from './searchUsers.ts'
