import { spawnSync } from 'node:child_process'
import { constants, readFileSync } from 'node:fs'
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import path from 'node:path'

/** The account that the server runs as. Empty: the current one. */
export type RunAs = { uid?: number; gid?: number }

const UNPRIVILEGED = ['postgres', 'nobody', 'daemon', 'www-data']

/**
 * PostgreSQL refuses to run as root, so root uses another account: the owner of an existing data folder,
 * else the first unprivileged account of this machine. No account is created.
 */
export async function chooseRunAs(dataDir: string): Promise<RunAs> {
  const owner = await stat(dataDir).catch(() => undefined)
  const uid = process.getuid?.()
  if (uid !== 0) {
    if (owner && uid !== undefined && owner.uid !== uid) throw new Error(notOurs(dataDir, owner.uid))
    return {}
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return unprivilegedAccount()
}

const notOurs = (dataDir: string, uid: number) =>
  `The database folder ${dataDir} belongs to user ${uid}: start as that user or as root, or remove the folder.`

function unprivilegedAccount(): RunAs {
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`PostgreSQL cannot run as root, and none of ${UNPRIVILEGED.join(', ')} exists here.`)
}

/** Options for a child process; `/` because the account may have no access to the current folder. */
export const childOptions = (runAs: RunAs) => ({ ...runAs, cwd: '/' })

/** Whether the account can enter this folder. Tested with a process, since mode bits alone miss ACLs and mounts. */
export function canEnter(folder: string, runAs: RunAs) {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], childOptions(runAs)).status === 0
}

/** Whether the account can run this program. */
export function canRun(program: string, runAs: RunAs) {
  return spawnSync(program, ['--version'], childOptions(runAs)).status === 0
}

/**
 * A folder outside the clone that every account can enter and only this one can write, for files that the account
 * cannot reach in a private home. A shared `tmp` is the last choice; a folder prepared by another user is refused.
 */
export async function openSharedFolder(): Promise<string> {
  for (const parent of ['/var/lib', '/var/tmp', '/tmp']) {
    const folder = path.join(parent, `commerce-sandbox-${process.getuid?.() ?? 'user'}`)
    await mkdir(folder, { mode: 0o755 }).catch(() => undefined)
    if (await isOursAlone(folder)) return folder
  }
  throw new Error(
    'No folder for the database is reachable by an unprivileged account (tried /var/lib, /var/tmp, /tmp).',
  )
}

async function isOursAlone(folder: string) {
  let handle: FileHandle | undefined
  try {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
    handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    const found = await handle.stat()
    if (found.uid !== process.getuid?.() || found.mode & 0o022) return false
    // A strict umask may have closed it to the server's account.
    await handle.chmod(0o755)
    return true
  } catch {
    return false
  } finally {
    await handle?.close()
  }
}
