/**
 * Returns the content of npm-shrinkwrap.json for a workspace that is packed: what the lock file of the repository pins
 * for its dependencies, without those for development. `lock` is the parsed package-lock.json, `workspace` a folder.
 * Packages of all platforms are in it; npm installs those of the machine.
 */
export function shrinkwrapOf(lock, workspace) {
  const { name, version, license, bin, engines, dependencies, optionalDependencies } = lock.packages[workspace]
  /** Places in the packed package, to places in the lock file. */
  const placed = new Map([['', workspace]])
  // Breadth first, so that the direct dependencies are where all packages find them.
  const queue = ['']
  for (const place of queue) {
    for (const { name } of edgesOf(lock, placed.get(place))) {
      const source = find(name, placed.get(place), (path) => path in lock.packages)
      if (source === undefined) continue
      const found = find(name, place, (path) => placed.has(path))
      if (found !== undefined && placed.get(found) === source) continue
      const target = join(found === undefined ? '' : place, name)
      placed.set(target, source)
      queue.push(target)
    }
  }
  const required = requiredPlaces(lock, placed)
  const packages = [...placed].slice(1).map(([place, source]) => {
    const { dev: _dev, devOptional: _devOptional, peer: _peer, optional: _optional, ...entry } = lock.packages[source]
    return [place, { ...entry, ...(!required.has(place) && { optional: true }) }]
  })
  packages.sort(([a], [b]) => (a < b ? -1 : 1))
  const root = { name, version, license, bin, engines, dependencies, optionalDependencies }
  return {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { '': root, ...Object.fromEntries(packages) },
  }
}

/** Returns places that are reached without optional dependencies. @throws Error if a package would find another one */
function requiredPlaces(lock, placed) {
  const required = new Set([''])
  for (const place of required) {
    for (const { name, optional } of edgesOf(lock, placed.get(place))) {
      const source = find(name, placed.get(place), (path) => path in lock.packages)
      const target = find(name, place, (path) => placed.has(path))
      if (source !== (target && placed.get(target))) {
        throw new Error(`${place || 'The package'} would find ${name} at ${target}, not at ${source} of the lock file.`)
      }
      if (source === undefined && !optional)
        throw new Error(`The lock file does not have ${name}, which ${place || 'the package'} needs.`)
      if (!optional) required.add(target)
    }
  }
  return required
}

/** Returns the dependencies of a package in the lock file that npm installs. */
function edgesOf(lock, source) {
  const { dependencies, optionalDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = lock.packages[source]
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional)
  const names = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !(name in optionalDependencies))
  return [
    ...names.map((name) => ({ name, optional: false })),
    ...Object.keys(optionalDependencies).map((name) => ({ name, optional: true })),
  ]
}

/** Returns the nearest place of a package in node_modules of a folder or of those above it. */
function find(name, folder, exists) {
  for (let above = folder; ; above = above.replace(/\/?(?:node_modules\/(?:@[^/]+\/)?)?[^/]+$/, '')) {
    const path = join(above, name)
    if (exists(path)) return path
    if (above === '') return undefined
  }
}

function join(folder, name) {
  return `${folder && `${folder}/`}node_modules/${name}`
}
