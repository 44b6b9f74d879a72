import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { queues } from '#shared/platform/jobs/sender.ts'
import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import { countVisits } from '#shared/visits/count-visits.ts'
import { deleteOldVisits, purgeVisitorSalts } from '#shared/visits/jobs.ts'
import { recordVisit } from '#shared/visits/record-visit.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const START = new Date('2026-01-15T12:00:00Z')
const onDay = (day: number) => freezeClock(new Date(START.getTime() + day * DAY_MS))

async function run(queue: string) {
  await (await queues()).send(queue, {})
  const ran = await drainJobs()
  assert.deepEqual(ran, [{ queue, error: null }])
}

async function scene() {
  const { id } = await buildStore({ timeZone: 'Europe/Berlin' })
  const store = { id, timeZone: 'Europe/Berlin' }
  const campaign = await buildCampaign(store)
  const click = (visitorId?: string, code = campaign.code) =>
    recordVisit(store, code, { visitorId, ip: '203.0.113.5', userAgent: 'Firefox' })
  const visits = () => inStore(id, async (tx) => (await countVisits(tx, [campaign.id])).get(campaign.id) ?? 0)
  const rows = async (table: string) => {
    const { rows } = await superuser.query(
      `select count(*)::int as count from ${table} where store_id = $1`,
      [id],
    )
    return rows[0].count as number
  }
  return { click, visits, rows }
}

test('visits past the attribution window are deleted, and their counts stay', async () => {
  const { click, visits, rows } = await scene()
  onDay(0)
  await click('ada')
  await click('grace')
  await click('ada', 'unknown')
  onDay(20)
  await click('ada')

  onDay(32)
  await run(deleteOldVisits.queue)
  assert.deepEqual({ kept: await rows('campaign_visits'), visits: await visits() }, { kept: 4, visits: 3 })

  onDay(33)
  await run(deleteOldVisits.queue)
  assert.deepEqual({ kept: await rows('campaign_visits'), visits: await visits() }, { kept: 1, visits: 3 })
  await run(deleteOldVisits.queue)
  assert.equal(await visits(), 3)
})

test('a salt is deleted when its day is over in every time zone', async () => {
  const { click } = await scene()
  const salts = async () => {
    const { rows } = await superuser.query(
      'select day::text, octet_length(salt) as bytes from visitor_salts order by 1',
    )
    return rows.map(({ day }) => day)
  }
  freezeClock(new Date('2027-06-01T10:00:00Z'))
  await click()
  freezeClock(new Date('2027-06-02T10:00:00Z'))
  await click()

  freezeClock(new Date('2027-06-02T11:59:00Z'))
  await run(purgeVisitorSalts.queue)
  assert.deepEqual(await salts(), ['2027-06-01', '2027-06-02'])
  freezeClock(new Date('2027-06-02T12:00:00Z'))
  await run(purgeVisitorSalts.queue)
  assert.deepEqual(await salts(), ['2027-06-02'])
  freezeClock(new Date(Date.parse('2027-06-02T12:00:00Z') + 24 * HOUR_MS))
  await run(purgeVisitorSalts.queue)
  assert.deepEqual(await salts(), [])
})

test('the table of salts is not written to the log of the database', async () => {
  const { rows } = await superuser.query(
    "select relpersistence from pg_class where relname = 'visitor_salts'",
  )
  assert.equal(rows[0].relpersistence, 'u')
})
