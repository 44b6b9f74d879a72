import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { placeOutside } from './outside.ts'
import { canEnter, childOptions, type RunAs } from './run-as.ts'

const run = promisify(execFile)

// Trigram search classifies letters by LC_CTYPE, so the first available one of these is used.
const CHARACTER_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8', 'C']

/**
 * The real path of the data. Normally `dataDir`; in a home that the server's account cannot enter, `dataDir`
 * becomes a link to a folder outside. Removing the link still discards the data.
 */
export async function placeDataFolder(dataDir: string, runAs: RunAs, durable: boolean): Promise<string> {
  const parent = path.dirname(dataDir)
  const found = await lstat(dataDir).catch(() => undefined)
  if (found?.isSymbolicLink()) return path.resolve(parent, await readlink(dataDir))
  if (canEnter(found ? dataDir : parent, runAs))
    return path.join(await realpath(parent), path.basename(dataDir))
  if (found)
    throw new Error(`The account that runs PostgreSQL cannot enter ${dataDir}: open the folders above it.`)
  return placeOutside(dataDir, durable)
}

/** Creates a cluster unless there is one. Renamed when complete, so that a killed start leaves no partial one. */
export async function ensureCluster(folder: string, initdb: string, runAs: RunAs, durable: boolean) {
  if (await readFile(path.join(folder, 'PG_VERSION')).catch(() => undefined)) return
  const draft = `${folder}.new`
  await rm(draft, { recursive: true, force: true })
  const password = randomBytes(18).toString('base64url')
  await initialise(draft, initdb, runAs, durable, password)
  await writeFile(passwordFile(draft), password, { mode: 0o600 })
  await rename(draft, folder) // the system refuses this when the folder is not empty
}

export const readPassword = (folder: string) => readFile(passwordFile(folder), 'utf8')

const passwordFile = (folder: string) => path.join(folder, 'superuser-password')

async function initialise(folder: string, initdb: string, runAs: RunAs, durable: boolean, password: string) {
  const secret = await mkdtemp(`${folder}-secret-`)
  try {
    await writeFile(path.join(secret, 'password'), password, { mode: 0o600 })
    await give(path.join(secret, 'password'), runAs)
    await give(secret, runAs)
    for (const locale of CHARACTER_LOCALES) {
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { mode: 0o700 })
      await give(folder, runAs)
      if (await initialised(initdb, clusterOptions(folder, secret, durable, locale), runAs)) return
    }
  } finally {
    await rm(secret, { recursive: true, force: true })
  }
}

const clusterOptions = (folder: string, secret: string, durable: boolean, locale: string) => [
  `--pgdata=${folder}`,
  '--username=postgres',
  `--pwfile=${path.join(secret, 'password')}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  `--lc-ctype=${locale}`,
  '--no-instructions',
  ...(durable ? [] : ['--no-sync']),
]

/** False when this machine lacks the locale. */
async function initialised(initdb: string, options: string[], runAs: RunAs) {
  try {
    await run(initdb, options, {
      ...childOptions(runAs),
      env: { ...process.env, LC_ALL: 'C' },
    })
    return true
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    if (stderr?.includes('invalid locale name')) return false
    throw new Error(`PostgreSQL could not make its data folder: ${stderr ?? error}`)
  }
}

async function give(at: string, { uid, gid }: RunAs) {
  if (uid !== undefined && gid !== undefined) await chown(at, uid, gid)
}
