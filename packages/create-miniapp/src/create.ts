import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

/** Thrown if the project cannot be created. `message` is shown to the user. */
export class CreateError extends Error {
  override readonly name = 'CreateError'
}

/** Next to both `dist` and `src`. */
const template = join(import.meta.dirname, '../template')

/**
 * Creates a mini app in a new or empty folder and returns its absolute path. Installs nothing.
 *
 * @param registry URL of the registry of Souk's packages
 * @param mirror URL of the registry of all other packages, if it is not the public one
 * @throws CreateError if the folder is not empty or cannot be created, its name contains no letter or digit, or a URL
 * is not valid
 */
export async function create(path: string, registry: string, mirror?: string): Promise<string> {
  const address = addressOf(registry)
  const others = mirror === undefined ? undefined : addressOf(mirror)
  const folder = resolve(path)
  const name = packageName(basename(folder))
  if (name === '')
    throw new CreateError(`${path} is not a valid project name: it must contain a letter (a–z) or a digit.`)
  const refuse = (error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') throw new CreateError(`${path} is a file, or in a file, and not a folder.`)
    throw new CreateError(`${path} cannot be created: ${error.message}.`)
  }
  const names = await readdir(folder).catch((error) => (error.code === 'ENOENT' ? [] : refuse(error)))
  // A new git repository counts as empty.
  if (names.some((each) => each !== '.git')) throw new CreateError(`${path} is not empty. Choose a new folder.`)
  await mkdir(folder, { recursive: true })
    .then(() => copyTemplate(folder, { name, registry: address, mirror: others }))
    .catch(refuse)
  return folder
}

/** Copies the template, with the name of the package and the registries of its packages. */
async function copyTemplate(
  folder: string,
  { name, registry, mirror }: { name: string; registry: string; mirror: string | undefined },
): Promise<void> {
  await cp(template, folder, { recursive: true })
  // npm does not publish files named .gitignore.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'))
  for (const file of ['package.json', 'pages.json', 'README.md']) {
    const text = await readFile(join(folder, file), 'utf8')
    await writeFile(join(folder, file), text.replaceAll('PROJECT_NAME', name))
  }
  const line = mirror === undefined ? '' : `registry=${mirror}\n`
  await writeFile(join(folder, '.npmrc'), `@souk:registry=${registry}\n${line}`)
  await writeFile(join(folder, '.yarnrc.yml'), yarnSettings(registry, mirror))
}

/** Returns the URL of a registry with a slash at its end. */
function addressOf(registry: string): string {
  if (!URL.canParse(registry) || !/^https?:\/\/\S+$/.test(registry))
    throw new CreateError(`${registry} is not a registry. Use a URL such as http://localhost:7070/npm/.`)
  const { username, password, host } = new URL(registry)
  if (username !== '' || password !== '')
    throw new CreateError(
      `The address of the registry ${host} contains a password or token, which everyone who gets the project would see. Put it into the .npmrc of your home folder, and leave it out of the address.`,
    )
  return registry.replace(/\/?$/, '/')
}

/**
 * Settings of Yarn 2 and later, which does not read .npmrc, and refuses plain HTTP and packages that were published
 * today. Vite needs `node_modules`.
 */
function yarnSettings(registry: string, mirror: string | undefined): string {
  const plain = [registry, ...(mirror === undefined ? [] : [mirror])]
    .map((url) => new URL(url))
    .filter(({ protocol }) => protocol === 'http:')
  const hosts = [...new Set(plain.map(({ hostname }) => `  - '${hostname}'\n`))].join('')
  return `nodeLinker: node-modules
npmPreapprovedPackages:
  - '@souk/*'
${mirror === undefined ? '' : `npmRegistryServer: '${mirror}'\n`}npmScopes:
  souk:
    npmRegistryServer: '${registry}'
${hosts && `unsafeHttpWhitelist:\n${hosts}`}`
}

/** Converts a folder name to a valid npm package name. */
function packageName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
}
