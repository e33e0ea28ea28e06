export { type Entry, type ProjectFiles, pathInProject, projectFiles } from './files.ts'
export { openProject, type Project, ProjectFault } from './project.ts'
