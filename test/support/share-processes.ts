import { writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Folders whose files run long: side by side, a process for each. */
const LONG = ['test/rules', 'test/faults', 'test/scenarios']

/** Files that count over a whole database, or start a process with an environment of its own. */
const ALONE = [
  'test/api/platform/bad-input.test.ts',
  'test/api/platform/idempotent-requests.test.ts',
  'test/api/platform/origins.test.ts',
  'test/api/platform/rate-limits.test.ts',
  'test/api/stores/trusted-proxy.test.ts',
  'test/api/super-admin/figures.test.ts',
]

/**
 * The files to start, one a process: the test files of a folder share theirs, and so its database, in a file in `dir`
 * that imports them. Starting a process costs more than most files do. Those with the most to do come first.
 */
export async function shareProcesses(files: string[], dir: string): Promise<string[]> {
  const isAlone = (file: string) => LONG.includes(dirname(file)) || ALONE.includes(file)
  const folders = Map.groupBy(
    files.filter((file) => !isAlone(file)),
    (file) => dirname(file),
  )
  const shared = [...folders].sort(([, some], [, others]) => others.length - some.length)
  const written = shared.map(([folder, members]) => writeGroup(dir, folder, members))
  return [...files.filter(isAlone), ...(await Promise.all(written))]
}

// The tests of one file could all have ended, and the run with them, before the next file is loaded.
const HOLD = `import { before } from 'node:test'
const loaded = Promise.withResolvers()
before(() => loaded.promise)
`

async function writeGroup(dir: string, folder: string, files: string[]): Promise<string> {
  const group = join(dir, `${folder.replaceAll('/', '-')}.test.mts`)
  const imports = files.map((file) => `await import('${pathToFileURL(resolve(file))}')\n`)
  await writeFile(group, `${HOLD}${imports.join('')}loaded.resolve()\n`)
  return group
}
