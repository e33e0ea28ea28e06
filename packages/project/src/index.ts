export { renderDiagnostics, type Span, spanOf } from './codeFrames.ts'
export { type Entry, type ProjectFiles, pathInProject, projectFiles } from './files.ts'
export { openProject, type Project, ProjectError } from './project.ts'
export { plain, type Style, styleFor, widthOf } from './terminal.ts'
