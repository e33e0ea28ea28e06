import { consoleOperations, type ResultOf } from '@souk/contract'
import type { Command } from 'commander'
import { fields, plain, type Style, table } from '../render.ts'
import type { AddCommand } from '../session.ts'

const { createProject, getProject, listProjects } = consoleOperations

type Project = ResultOf<typeof getProject>

/** `souk project …`: projects that the caller may see. */
export function addProjectCommands(program: Command, add: AddCommand): void {
  const project = program.command('project')
  add<[], { archived?: true }>(project, {
    usage: 'list',
    summary: 'list projects by name',
    examples: ['project list', 'project list --archived', 'project list --json'],
    options: (command) => command.option('--archived', 'list the archived ones'),
    action: async ({ server, style, printTimed }, { archived = false }) => {
      const projects = (await server.call(listProjects, {})).filter((it) => (it.archivedTime !== null) === archived)
      const none = archived ? 'No archived projects.' : 'No projects yet. Create one: souk project create --name N'
      await printTimed(projects, (_, relative) =>
        projects.length === 0
          ? none
          : table(
              ['PROJECT', 'NAME', 'ROLE', 'MINI APPS', 'MEMBERS', 'CREATED'],
              projects.map((it) => [
                it.projectId,
                plain(it.name),
                it.role,
                String(it.apps),
                String(it.members),
                relative(it.ctime),
              ]),
              style,
            ),
      )
    },
  })
  add<[string]>(project, {
    usage: 'show <projectId>',
    summary: 'show a project',
    examples: ['project show 0123456789abcdef0123456789abcdef', 'project show 0123456789abcdef0123456789abcdef --json'],
    action: async ({ server, style, printTimed }, _, projectId) => {
      await printTimed(await server.call(getProject, { projectId }), (found, relative) =>
        describe(found, relative, style),
      )
    },
  })
  add<[], { name: string }>(project, {
    usage: 'create',
    summary: 'create a project',
    examples: ['project create --name "Coffee shop"', 'project create --name "Coffee shop" --json'],
    options: (command) => command.requiredOption('--name <name>', 'displayed name, up to 64 characters'),
    action: async ({ server, style, print }, { name }) => {
      print(await server.call(createProject, { name }), (created) =>
        [
          `Created ${plain(created.name)}. Its members and mini apps are managed in the console.`,
          fields([['project', created.projectId]], style),
        ].join('\n'),
      )
    },
  })
}

function describe(project: Project, relative: (time: number) => string, style: Style): string {
  const { projectId, name, role, trusted, apps, members, ctime, archivedTime } = project
  return fields(
    [
      ['project', projectId],
      ['name', plain(name)],
      ['state', archivedTime === null ? 'active' : `archived ${relative(archivedTime)}`],
      ['your role', role],
      ['changes', trusted ? 'approved at once' : 'reviewed'],
      ['mini apps', String(apps)],
      ['members', String(members)],
      ['created', relative(ctime)],
    ],
    style,
  )
}
