export default {
  title: 'Project settings',
  lead: 'What this project is called, and how you leave it.',
  project: 'Project',
  name: 'Project name',
  leave: 'Leave project',
  leaveTitle: 'Leave project?',
  leaveText: 'You need an invitation to join again.',
  left: 'You left the project',
  trust: {
    name: 'Trusted',
    text: 'Changes of its mini apps take effect without approval.',
    on: 'The project is trusted',
    off: 'Changes of the project need approval',
  },
}
