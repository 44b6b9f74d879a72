import { test } from 'node:test'
import fc from 'fast-check'
import '#test/support/database.ts'
import '#test/support/processes/gateway.ts'
import { type History, history } from '#test/faults/histories/draw-history.ts'
import { KNOWN_HISTORIES } from '#test/faults/histories/known-histories.ts'
import { playHistory } from '#test/faults/histories/play-history.ts'

/** `npm run faults` plays 2,000. */
const HISTORIES = Number(process.env.HISTORIES ?? 100)

test(`the books of ${HISTORIES} random histories agree with each other and with the gateway`, async () => {
  const seed = process.env.SEED ? { seed: Number(process.env.SEED) } : {}
  const examples = KNOWN_HISTORIES.map((known): [History] => [known])
  await fc.assert(fc.asyncProperty(history, playHistory), { numRuns: HISTORIES, examples, ...seed })
})
