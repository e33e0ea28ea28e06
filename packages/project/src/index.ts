export { type Entry, type ProjectFiles, pathInProject, projectFiles } from './files.ts'
export { renderDiagnostics, type Span, spanOf } from './frames.ts'
export { openProject, type Project, ProjectFault } from './project.ts'
export { plain, type Style, styleFor, widthOf } from './terminal.ts'
