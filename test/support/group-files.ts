import { readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Files with a process and a database of their own: they run longest (these start first), read the rows of all
 * stores, start the application with another environment, move the time of the process, or use up the limits of its
 * address for a minute.
 */
const ALONE = [
  'test/rules/isolation.test.ts',
  'test/api/platform/input/bad-input.test.ts',
  'test/scenarios/any-request.test.ts',
  'test/workers/commands/reencrypt-secrets.test.ts',
  'test/api/super-admin/figures.test.ts',
  'test/workers/reconciliation/reconcile-stores.test.ts',
  'test/workers/audit/verify-audit-logs.test.ts',
  'test/api/platform/pipeline/cors.test.ts',
  'test/api/platform/rate-limits/rate-limits.test.ts',
  'test/api/platform/challenge/challenge.test.ts',
  'test/api/stores/trusted-proxy.test.ts',
  'test/sandbox-tests/clock.test.ts',
]

/** What a file contains that opens a demo store, which a database has once. */
const OPENS_DEMO_STORE = /openDemoStore/

/** More groups start the service more often; fewer leave a core idle at the end of the run. */
const GROUPS = 6

/** Modules that register a hook when loaded. Loaded before all tests, so that the hook belongs to the process. */
export const WITH_HOOKS = [
  'app',
  'clock',
  'database',
  'gateway',
  'identity-provider',
  'jobs',
  'keys',
  'mailbox',
  'name-server',
].map((name) => `test/support/${name}.ts`)

/**
 * The files to run, one per process. A file that opens a demo store has a process of its own, too. The files of a group
 * share a process with its database, gateway and mailbox: a file in `dir` imports them as one suite each.
 */
export async function groupFiles(files: string[], dir: string): Promise<string[]> {
  const opening: string[] = []
  for (const file of files) if (OPENS_DEMO_STORE.test(await readFile(file, 'utf8'))) opening.push(file)
  const alone = [...ALONE, ...opening]
  const groups = await intoGroups(files.filter((file) => !alone.includes(file)))
  const written = groups.map(async (group, index) => {
    const file = join(dir, `group-${index + 1}.test.mts`)
    await writeFile(file, importAll(group))
    return file
  })
  return [...alone, ...(await Promise.all(written))]
}

/** Groups of similar size in bytes, which grows with the run time; neighbors stay together. */
async function intoGroups(files: string[]): Promise<string[][]> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const groups: string[][] = Array.from({ length: GROUPS }, () => [])
  let before = 0
  for (const [index, file] of files.entries()) {
    groups[Math.floor((before / total) * GROUPS)]?.push(file)
    before += sizes[index] ?? 0
  }
  return groups
}

const urlOf = (file: string): string => pathToFileURL(resolve(file)).href

// Tests start after all files are loaded; otherwise the run would end with the tests of the first. A file that fails
// to load fails the group, since resources opened by the other files would keep the process alive.
const importAll = (files: string[]): string => `
  import { before, suite } from 'node:test'
  const loaded = Promise.withResolvers()
  let discardJobs
  before(() => loaded.promise)
  const load = (name, url) =>
    new Promise((resolve, reject) =>
      suite(name, () => {
        before(() => discardJobs())
        return import(url).then(resolve, reject)
      }),
    )
  try {
    ;({ discardJobs } = await import('${urlOf('test/support/jobs.ts')}'))
    ${WITH_HOOKS.map((file) => `await import('${urlOf(file)}')`).join('\n    ')}
    ${files.map((file) => `await load('${file}', '${urlOf(file)}')`).join('\n    ')}
    loaded.resolve()
  } catch (error) {
    loaded.reject(error)
    throw error
  }
`
