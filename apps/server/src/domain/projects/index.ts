export { authorise, authoriseOver, isAdministrator, requireAdministrator } from './authorise.ts'
export {
  acceptInvitation,
  createInvitation,
  joinByInvitation,
  listInvitations,
  pruneInvitations,
  revokeInvitation,
  showInvitation,
} from './invitations.ts'
export { changeMemberRole, leaveProject, listMembers, removeMember } from './members.ts'
export {
  createProject,
  getProject,
  listProjects,
  pageProjects,
  projectIdsWhere,
  projectsWhere,
  trustProject,
  updateProject,
} from './projects.ts'
export { deleteInvitationsBy, hasOtherOwner, isTrusted, lockProjectsOf } from './store.ts'
