import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endpoints } from '#api/endpoints.ts'

// `npm run test:codes`: runs all tests and prints each error code that an operation lists and no test received from it.
// A code that an operation returns and does not list fails its test.

const dir = await mkdtemp(join(tmpdir(), 'commerce-codes-'))
const file = join(dir, 'returned-codes')
try {
  const passed = [await runTests(), await runTests('--slow')]
  const unreturned = await findUnreturned()
  for (const pair of unreturned) console.log(pair)
  console.log(`${unreturned.length} listed error codes were not returned`)
  process.exitCode = unreturned.length === 0 && passed.every(Boolean) ? 0 : 1
} finally {
  await rm(dir, { recursive: true, force: true })
}

async function runTests(...set: string[]): Promise<boolean> {
  const env = { ...process.env, RETURNED_CODES: file }
  const tests = spawn(process.execPath, ['test/support/run.ts', ...set], { stdio: 'inherit', env })
  const [code] = await once(tests, 'exit')
  return code === 0
}

async function findUnreturned(): Promise<string[]> {
  const returned = new Set((await readFile(file, 'utf8')).split('\n'))
  const listed = endpoints.flatMap(({ method, path, errors }) =>
    errors.map(({ kind }) => `${method.toUpperCase()} ${path} ${kind.code}`),
  )
  return listed.filter((pair) => !returned.has(pair))
}
