import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import type { Anchor } from '#workers/audit/anchors.ts'
import { pickWholeLogs } from '#workers/audit/pick-whole-logs.ts'

const AT = new Date('2027-03-01T03:50:00.000Z')

/** An anchor of a log that was verified wholly this many days ago; null for never. */
const anchor = (days: number | null, entries = 10): Anchor => ({
  sequence: BigInt(entries),
  hash: Buffer.alloc(32),
  wholeAt: days === null ? null : new Date(AT.getTime() - days * DAY_MS),
})

const pick = (anchors: Record<string, Anchor>, { at = AT } = {}) => [
  ...pickWholeLogs(Object.keys(anchors), new Map(Object.entries(anchors)), { at, maxEntries: 100 }),
]

test('logs without a whole verification for 30 days are picked, oldest first', () => {
  const picked = pick({ late: anchor(30), recent: anchor(29), later: anchor(45), never: anchor(null) })

  assert.deepEqual(picked, ['never', 'later', 'late'])
})

test('a night picks logs up to a number of entries, and the next night the next logs', () => {
  const logs = { first: anchor(33, 60), second: anchor(32, 60), third: anchor(31, 10) }

  assert.deepEqual(pick(logs), ['first'])
  assert.deepEqual(pick({ ...logs, first: anchor(0, 60) }), ['second', 'third'])
})

test('a log with more entries than that is picked after the others, another one each night', () => {
  const logs = { huge: anchor(40, 1_000), small: anchor(35), huger: anchor(33, 2_000) }

  const nights = [0, 1].map((night) => pick(logs, { at: new Date(AT.getTime() + night * DAY_MS) }))

  assert.deepEqual(nights.toSorted(), [
    ['small', 'huge'],
    ['small', 'huger'],
  ])
})

test('a log without an anchor or without a store is not picked', () => {
  const anchors = new Map([['purged', anchor(90, 1_000)]])

  assert.deepEqual([...pickWholeLogs(['new'], anchors, { at: AT })], [])
})
