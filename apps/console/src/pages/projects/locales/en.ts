export default {
  title: 'Projects',
  lead: 'A project contains mini apps and the people who manage them.',
  create: 'New project',
  name: 'Project name',
  empty: 'No projects yet',
  emptyText: 'Create a project, or ask the owner of an existing one for an invitation.',
  askForProject: 'Ask an administrator to let you create projects, or the owner of a project for an invitation.',
  apps: 'one mini app | {count} mini apps',
  administratorsOnly: 'administrators only',
  members: 'one member | {count} members',
}
