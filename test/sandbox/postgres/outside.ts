import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { processesIn } from './leftovers.ts'
import { openSharedFolder } from './run-as.ts'

/** Creates a data folder in the shared folder and a link to it at `dataDir`. */
export async function placeOutside(dataDir: string, durable: boolean): Promise<string> {
  const folder = await openSharedFolder()
  await sweep(folder)
  const name = `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`
  const outside = path.join(folder, name)
  await discard(outside) // the link is missing: its data was discarded
  await rm(dataDir, { force: true })
  await symlink(outside, dataDir)
  if (!durable) await writeFile(originOf(outside), dataDir)
  return outside
}

/**
 * Removes the data of tests that removed their own folder. Only tests record their origin: a durable folder may have
 * been moved, and its data must stay.
 */
async function sweep(folder: string) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.origin')) continue
    const outside = path.join(folder, path.basename(name, '.origin'))
    const origin = await readFile(originOf(outside), 'utf8').catch(() => undefined)
    const isLinked = origin === undefined || (await lstat(origin).catch(() => undefined)) !== undefined
    if (!isLinked && processesIn(outside).length === 0) await discard(outside)
  }
}

async function discard(outside: string) {
  const rests = ['', '.new', '.origin'].map((suffix) => `${outside}${suffix}`)
  await Promise.all(rests.map((at) => rm(at, { recursive: true, force: true })))
}

const originOf = (outside: string) => `${outside}.origin`
