import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Files with a process of their own: they run longest (these start first), start the application with another
 * environment, move the time of the process, or use up the limits of its address for a minute.
 */
const ALONE: readonly string[] = [
  'test/rules/isolation.test.ts',
  'test/api/platform/input/bad-input.slow.test.ts',
  'test/scenarios/any-request.slow.test.ts',
  'test/workers/commands/reencrypt-secrets.slow.test.ts',
  'test/workers/reconciliation/reconcile-stores.slow.test.ts',
  'test/api/platform/challenge/challenge.test.ts',
  'test/api/stores/trusted-proxy.test.ts',
  'test/sandbox-tests/clock.test.ts',
]

/** Files that count what the whole process does, or use up other limits. They share a process, in this sequence. */
const APART: readonly string[] = [
  'test/api/super-admin/figures.test.ts',
  'test/workers/audit/verify-audit-logs.test.ts',
  'test/api/platform/pipeline/cors.test.ts',
  'test/api/platform/rate-limits/rate-limits.test.ts',
]

/** More groups start the service more often; fewer leave a core idle at the end of the run. */
const GROUPS = 6

/** Modules that register a hook when loaded. Loaded before all tests, so that the hook belongs to the process. */
export const WITH_HOOKS = [
  'clock',
  'database',
  'keys',
  'processes/app',
  'processes/gateway',
  'processes/identity-provider',
  'processes/jobs',
  'processes/mailbox',
  'processes/name-server',
].map((name) => `test/support/${name}.ts`)

/**
 * The files to run, one per process. The files of a group share a process with its gateway and mailbox: a file in `dir`
 * loads them as one suite each.
 */
export async function groupFiles(files: string[], dir: string): Promise<string[]> {
  const alone = ALONE.filter((file) => files.includes(file))
  const apart = APART.filter((file) => files.includes(file))
  const others = files.filter((file) => !alone.includes(file) && !apart.includes(file))
  const groups = [...(apart.length > 0 ? [apart] : []), ...(await intoGroups(others))]
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
  import { before } from 'node:test'
  const loaded = Promise.withResolvers()
  before(() => loaded.promise)
  try {
    ${WITH_HOOKS.map((file) => `await import('${urlOf(file)}')`).join('\n    ')}
    const { loadFile } = await import('${urlOf('test/support/runner/load-file.ts')}')
    ${files.map((file) => `await loadFile('${file}', '${urlOf(file)}')`).join('\n    ')}
    const { endTracking } = await import('${urlOf('test/support/runner/async-tracking.ts')}')
    endTracking()
    loaded.resolve()
  } catch (error) {
    loaded.reject(error)
    throw error
  }
`
