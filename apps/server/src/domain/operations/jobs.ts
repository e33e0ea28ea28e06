import type { Jobs } from '../jobs.ts'
import { eraseApp, eraseProject } from './administration/index.ts'

export const operationsJobs: Jobs = {
  queued: {
    eraseApp: (context, { appid }) => eraseApp(context, String(appid)),
    eraseProject: (context, { projectId }) => eraseProject(context, String(projectId)),
  },
}
