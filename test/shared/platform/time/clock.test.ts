import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateIn } from '#shared/platform/time/clock.ts'
import { MIB } from '#test/support/measure/used-heap.ts'

const NAME = 'america/argentina/comodrivadavia'

/** A spelling of the name for each number below 2^31. */
const spelling = (number: number): string =>
  [...NAME].map((letter, i) => ((number >>> i) & 1 ? letter.toUpperCase() : letter)).join('')

test('many spellings of a time zone take little memory', () => {
  const noon = new Date('2026-05-01T12:00:00Z')
  const before = process.memoryUsage().rss

  for (let i = 0; i < 6_000; i++) assert.equal(dateIn(spelling(i), noon), '2026-05-01')

  const growth = process.memoryUsage().rss - before
  assert.ok(growth < 80 * MIB, `${Math.round(growth / MIB)} MiB`)
})
