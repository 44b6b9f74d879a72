import { stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Files with a process each: they run longest (those come first), count over a whole database, or start processes
 * with an environment of their own.
 */
const ALONE = [
  'test/rules/isolation.test.ts',
  'test/api/platform/input/bad-input.test.ts',
  'test/api/platform/rate-limits/rate-limits.test.ts',
  'test/api/platform/idempotency/idempotent-requests.test.ts',
  'test/scenarios/any-request.test.ts',
  'test/api/platform/auth/cors.test.ts',
  'test/api/stores/trusted-proxy.test.ts',
  'test/api/super-admin/figures.test.ts',
  'test/workers/secrets/reencrypt.test.ts',
]

/** As much source as one process runs: more would leave a core idle at the end. */
const MOST_BYTES = 90_000

/**
 * The files to start, one a process: neighbouring folders share theirs, and so its database, in a file in `dir` that
 * imports their test files. Starting a process costs more than most files do. Those with the most to do come first.
 */
export async function shareProcesses(files: string[], dir: string): Promise<string[]> {
  const folders = Map.groupBy(
    files.filter((file) => !ALONE.includes(file)),
    dirname,
  )
  const groups: { files: string[]; bytes: number }[] = []
  for (const members of folders.values()) {
    const bytes = await sizeOf(members)
    const last = groups.at(-1)
    if (last && last.bytes + bytes <= MOST_BYTES) {
      last.files.push(...members)
      last.bytes += bytes
    } else groups.push({ files: [...members], bytes })
  }
  groups.sort((one, other) => other.bytes - one.bytes)
  return [...ALONE, ...(await Promise.all(groups.map((group) => writeGroup(dir, group.files))))]
}

async function sizeOf(files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map((file) => stat(file)))
  return sizes.reduce((bytes, { size }) => bytes + size, 0)
}

async function writeGroup(dir: string, files: string[]): Promise<string> {
  const [first = '', last = ''] = [files[0], files.at(-1)].map((file = '') => nameOf(dirname(file)))
  const group = join(dir, `${first === last ? first : `${first}-to-${last}`}.test.mts`)
  await writeFile(group, importAll(files))
  return group
}

// No test starts before all files are loaded: those of one file could all have ended, and the run with them, before
// the next is. A file that cannot be loaded fails them all: what is open by then would keep the process waiting.
const importAll = (files: string[]) => `import { before } from 'node:test'
const loaded = Promise.withResolvers()
before(() => loaded.promise)
try {
${files.map((file) => `  await import('${pathToFileURL(resolve(file))}')\n`).join('')}  loaded.resolve()
} catch (error) {
  loaded.reject(error)
  throw error
}
`

const nameOf = (folder: string): string => folder.replaceAll('/', '-')
