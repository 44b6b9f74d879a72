import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'commerce-test-'
// The databases of the files that run at the same time take a third of it.
const NEEDED_BYTES = 8 * 1024 ** 3

/**
 * Creates the folder of a test run: in memory if the machine has enough, else on disk. Each test file has a copy of a
 * database of 1,000 files, which a disk takes three times as long to make.
 */
export async function createDataFolder(): Promise<string> {
  await removeLeftovers()
  const parent = (await hasMemory()) ? MEMORY : tmpdir()
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  // As root, PostgreSQL runs as another account, which must enter the folder.
  await chmod(folder, 0o711)
  return folder
}

async function hasMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= NEEDED_BYTES
}

/** Removes the folders of killed runs, which would take memory until the machine restarts. */
async function removeLeftovers(): Promise<void> {
  const names = await readdir(MEMORY).catch(() => [])
  const ended = names.filter((name) => name.startsWith(PREFIX) && !isRunning(pidOf(name)))
  await Promise.all(ended.map((name) => rm(join(MEMORY, name), { recursive: true, force: true })))
}

const pidOf = (name: string): number => Number.parseInt(name.slice(PREFIX.length), 10)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // A process of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
