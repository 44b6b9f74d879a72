import { readFile } from 'node:fs/promises'
import { endpoints } from '#api/endpoints.ts'
import { runRecorded } from '#test/support/runner/run-recorded.ts'

// `npm run test:codes`: runs all tests and prints each error code that an operation lists and no test received from it.
// A code that an operation returns and does not list fails its test. If RETURNED_CODES names the file to which all
// tests have written already, it runs none.

const recorded = process.env.RETURNED_CODES
const { lines: returned, passed } = recorded
  ? { lines: new Set((await readFile(recorded, 'utf8')).split('\n')), passed: true }
  : await runRecorded('RETURNED_CODES', [[], ['--slow']])
const listed = endpoints.flatMap(({ method, path, errors }) =>
  errors.map(({ kind }) => `${method.toUpperCase()} ${path} ${kind.code}`),
)
const unreturned = listed.filter((pair) => !returned.has(pair))
for (const pair of unreturned) console.log(pair)
console.log(`${unreturned.length} listed error codes were not returned`)
process.exitCode = unreturned.length === 0 && passed ? 0 : 1
