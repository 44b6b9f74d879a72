import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedFigures } from '#shared/platform/metrics/shared-figures.ts'
import { superuser } from '#test/support/database.ts'

const SCRAPES = 20

/** A read that counts its runs. */
function countedRead() {
  const read = { runs: 0, run: async () => ({ run: ++read.runs }) }
  return read
}

const age = (name: string, seconds: number) =>
  superuser.query(
    `update metric_figures set claimed_at = claimed_at - make_interval(secs => $2),
       read_at = read_at - make_interval(secs => $2) where name = $1`,
    [name, seconds],
  )

test('twenty concurrent scrapes read the figures once; without sharing they would read them twenty times', async () => {
  const alone = countedRead()
  await Promise.all(Array.from({ length: SCRAPES }, alone.run))
  const shared = countedRead()
  await sharedFigures('scraped', shared.run)

  const found = await Promise.all(Array.from({ length: SCRAPES }, () => sharedFigures('scraped', shared.run)))

  assert.equal(alone.runs, SCRAPES)
  assert.equal(shared.runs, 1)
  assert.deepEqual(new Set(found.map((one) => one?.run)), new Set([1]))
})

test('figures older than ten seconds are read again, by one of the concurrent scrapes', async () => {
  const shared = countedRead()
  await sharedFigures('aged', shared.run)
  await age('aged', 11)

  await Promise.all(Array.from({ length: SCRAPES }, () => sharedFigures('aged', shared.run)))

  assert.equal(shared.runs, 2)
  assert.deepEqual(await sharedFigures('aged', shared.run), { run: 2 })
})

test('figures that nobody could read for a minute are given no more', async () => {
  const shared = countedRead()
  await sharedFigures('lost', shared.run)
  await age('lost', 61)
  const fail = () => Promise.reject(new Error('the statement takes too long'))

  await assert.rejects(sharedFigures('lost', fail), /too long/)

  assert.equal(await sharedFigures('lost', fail), null)
})
