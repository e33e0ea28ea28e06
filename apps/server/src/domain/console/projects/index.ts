export { authorize, authorizeOver, isAdministrator, requireAdministrator, requireScope } from './authorize.ts'
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
  activeProjects,
  createProject,
  getProject,
  listProjects,
  listProjectsById,
  pageProjects,
  projectIdsWhere,
  projectsWhere,
  requireProjects,
  trustProject,
  updateProject,
} from './projects.ts'
export { requireActiveProject } from './requireActiveProject.ts'
export {
  deleteInvitationsBy,
  existsDeletedProject,
  existsOtherOwner,
  findTrusted,
  insertMissingOwners,
  lockProject,
  lockProjectAnalytics,
  lockProjectArchive,
  lockProjects,
  lockProjectsOf,
  projectIds,
  updateArchivedProject,
  updateProjectAnalytics,
  upsertDefaultProject,
} from './store.ts'
