import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The process that started a server on a folder. Its start time identifies it when the id is reused. */
type Starter = { pid: number; startedAt: string }

export type Claim = { tookOver: boolean; release(): Promise<void> }

/** A living process holds the claim. */
export class FolderInUse extends Error {
  readonly pid: number

  constructor(folder: string, pid: number) {
    super(`The folder ${folder} is in use by process ${pid}: stop that one first, or choose another folder.`)
    this.pid = pid
  }
}

/**
 * Claims the folder for this process, so that starts do not overlap. Replaces the claim of a dead process. The claim is
 * a file beside the folder.
 * @throws `FolderInUse`
 */
export async function claimFolder(folder: string): Promise<Claim> {
  const file = `${folder}.starter`
  await mkdir(path.dirname(folder), { recursive: true })
  const ours = JSON.stringify({
    pid: process.pid,
    startedAt: startTime(process.pid) ?? '',
  } satisfies Starter)
  let tookOver = false
  while (!(await createOnly(file, ours))) {
    const starter = await readStarter(file)
    if (isAlive(starter)) throw new FolderInUse(folder, starter.pid)
    await rm(file, { force: true })
    tookOver = true
  }
  return { tookOver, release: () => rm(file, { force: true }) }
}

const isAlive = (starter: Starter | undefined): starter is Starter =>
  starter !== undefined && startTime(starter.pid) === starter.startedAt

// Written before it is linked: another start never reads half of it, which it would take for a dead process's.
async function createOnly(file: string, text: string) {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text)
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

async function readStarter(file: string): Promise<Starter | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Starter
  } catch {
    return undefined // already removed, or truncated by a kill
  }
}

function startTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)])
        .toString()
        .trim()
    // The start time is the 22nd field; the second one, the name, is in brackets and may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19]
  } catch {
    return undefined
  }
}
