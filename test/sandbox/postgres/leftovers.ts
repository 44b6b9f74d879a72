import { execFileSync } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Cleans up after an earlier run in the folder: a server that outlived its killed starter (`mayStop`), its
 * remaining children, and a lock file whose process id may belong to another process now.
 * @throws when a server that this process may not stop still runs there
 */
export async function clearLeftovers(folder: string, mayStop: boolean) {
  const lock = path.join(folder, 'postmaster.pid')
  const server = Number.parseInt(await readFile(lock, 'utf8').catch(() => ''), 10)
  const deadline = Date.now() + 20_000
  for (let living = processesIn(folder); living.length > 0; living = processesIn(folder)) {
    if (living.includes(server)) {
      if (!mayStop)
        throw new Error(`A PostgreSQL (process ${server}) still runs on ${folder}: stop it first.`)
      signal(server, 'SIGINT')
    }
    if (Date.now() > deadline)
      throw new Error(`Processes ${living.join(', ')} still use ${folder}: end them first.`)
    await delay(25)
  }
  await rm(lock, { force: true })
}

/** Every PostgreSQL process has its data folder as working directory. Without /proc, the command line identifies it. */
export function processesIn(folder: string): number[] {
  if (process.platform !== 'linux') return processesNaming(folder)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === folder)
    .map(Number)
}

function workingFolder(pid: string) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined // already ended, or another user's
  }
}

function processesNaming(folder: string) {
  const lines = execFileSync('ps', ['-axo', 'pid=,command=']).toString().split('\n')
  return lines
    .filter((line) => line.includes(`postgres -D ${folder} `))
    .map((line) => Number.parseInt(line, 10))
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}
