export { authorise, authoriseOver, isAdministrator, requireAdministrator, requireScope } from './authorise.ts'
export {
  acceptInvitation,
  createInvitation,
  joinByInvitation,
  listInvitations,
  pruneInvitations,
  revokeInvitation,
  showInvitation,
} from './invitations.ts'
export { changeMemberRole, leaveProject, listMembers, removeMember, setMemberships } from './members.ts'
export {
  createProject,
  getProject,
  listProjects,
  pageProjects,
  projectIdsWhere,
  projectsWhere,
  requireProjects,
  trustProject,
  updateProject,
} from './projects.ts'
export {
  deleteInvitationsBy,
  hasOtherOwner,
  insertMissingOwners,
  isDeletedProject,
  isTrusted,
  lockProject,
  lockProjectArchive,
  lockProjects,
  lockProjectsOf,
  requireActiveProject,
} from './store.ts'
