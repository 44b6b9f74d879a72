import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testBooks } from '#test/support/books/test-books.ts'
import '#test/support/database.ts'
import { baseUrl } from '#test/support/processes/app.ts'
import { askAtRandom, countStatuses } from '#test/support/requests/ask-at-random.ts'

// None of the random requests fails with 5xx, and each response matches the description. The long run:
// `npm run fuzz`, or FUZZ_REQUESTS=100000 FUZZ_SEED=1 npm test -- test/scenarios/any-request.slow.test.ts

const REQUESTS = Number(process.env.FUZZ_REQUESTS || 320)
const SEED = Number(process.env.FUZZ_SEED || 20_261_010)
/** After this many requests the store has too few records left. */
const REQUESTS_PER_STORE = 800

for (let first = 0; first < REQUESTS; first += REQUESTS_PER_STORE)
  test(`random requests from ${first + 1} (seed ${SEED + first}) return responses that match the description`, async (t) => {
    const requests = Math.min(REQUESTS_PER_STORE, REQUESTS - first)
    const outcomes = await askAtRandom({ url: baseUrl, requests, seed: SEED + first })

    const faults = outcomes.flatMap(({ fault = [] }) => fault)
    t.diagnostic(JSON.stringify(countStatuses(outcomes)))
    assert.equal(faults.length, 0, faults.join('\n'))
    const done = outcomes.filter(({ status }) => status < 300)
    assert.ok(done.length > outcomes.length / 10, 'control: hardly any of them did anything')
  })

testBooks()
