import { endpoints } from '#api/endpoints.ts'
import { runRecorded } from '#test/support/runner/run-recorded.ts'

// `npm run test:codes`: runs all tests and prints each error code that an operation lists and no test received from it.
// A code that an operation returns and does not list fails its test.

const { lines: returned, passed } = await runRecorded('RETURNED_CODES', [[], ['--slow']])
const listed = endpoints.flatMap(({ method, path, errors }) =>
  errors.map(({ kind }) => `${method.toUpperCase()} ${path} ${kind.code}`),
)
const unreturned = listed.filter((pair) => !returned.has(pair))
for (const pair of unreturned) console.log(pair)
console.log(`${unreturned.length} listed error codes were not returned`)
process.exitCode = unreturned.length === 0 && passed ? 0 : 1
