import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The process that started a server on a folder. Its start time identifies it when the id is reused. */
type Starter = { pid: number; startedAt: string }

export type Claim = { tookOver: boolean; release(): Promise<void> }

/**
 * Claims the folder for this process, so that starts do not overlap. Replaces the claim of a dead process.
 * @throws when a living process holds it
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
    if (isAlive(starter)) throw new Error(inUse(folder, starter.pid))
    await rm(file, { force: true })
    tookOver = true
  }
  return { tookOver, release: () => rm(file, { force: true }) }
}

const isAlive = (starter: Starter | undefined): starter is Starter =>
  starter !== undefined && startTime(starter.pid) === starter.startedAt

const inUse = (folder: string, pid: number) =>
  `The database folder ${folder} is in use by process ${pid}: stop that one first, or choose another folder.`

async function createOnly(file: string, text: string) {
  try {
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
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
