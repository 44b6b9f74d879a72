import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateCampaign } from '#shared/campaigns/update-campaign.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS, HOUR_MS } from '#shared/platform/time/clock.ts'
import { countVisits } from '#shared/visits/count-visits.ts'
import { MAX_VISITORS_PER_DAY, SHARED_ROWS } from '#shared/visits/limits.ts'
import { buildCampaign } from '#test/support/builders/campaigns.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { superuser } from '#test/support/database.ts'
import { rowsOf } from '#test/support/measure/rows-of.ts'
import { request } from '#test/support/processes/app.ts'

async function scene() {
  const store = await buildStore({ timeZone: 'Europe/Berlin' })
  const campaign = await buildCampaign(store)
  const track = (body: object = {}, agent = 'Firefox') =>
    request('POST /marketing/track', {
      store,
      headers: { 'User-Agent': agent },
      body: { code: campaign.code, ...body },
    })
  const visits = (id = campaign.id): Promise<number> =>
    inStore(store.id, async (tx) => (await countVisits(tx, [id])).get(id) ?? 0)
  return { store, campaign, track, visits }
}

const NOON = new Date('2026-10-20T10:00:00Z')

test('POST /marketing/track counts a visitor once a code and day of the store', async () => {
  freezeClock(NOON)
  const { store, track, visits } = await scene()
  const { id, code } = await buildCampaign(store)

  const answer = await track({ visitor_id: 'ada' })
  await track({
    visitor_id: 'ada',
    url: 'https://shop.example/?code=x',
    referrer: '',
    utm: { utm_source: 'x' },
  })
  await track({ visitor_id: 'grace' })
  await track({ visitor_id: 'ada', code })

  assert.deepEqual(
    { status: answer.status, data: answer.data, meta: answer.meta },
    { status: 200, data: null, meta: null },
  )
  assert.equal(await visits(), 2)
  assert.equal(await visits(id), 1)
  // 23:59 and 00:00 in Berlin.
  freezeClock(new Date('2026-10-20T21:59:00Z'))
  await track({ visitor_id: 'ada' })
  assert.equal(await visits(), 2)
  freezeClock(new Date('2026-10-20T22:00:00Z'))
  await track({ visitor_id: 'ada' })
  assert.equal(await visits(), 3)
})

test('without a visitor_id, address and agent are one visitor of the day', async () => {
  freezeClock(NOON)
  const { track, visits } = await scene()

  await track({}, 'Firefox')
  await track({}, 'Firefox')
  await track({}, 'Safari')
  assert.equal(await visits(), 2)

  freezeClock(new Date(NOON.getTime() + DAY_MS))
  await track({}, 'Firefox')
  assert.equal(await visits(), 3)
})

test('a code counts in any case, while its campaign is active and within its period', async () => {
  freezeClock(NOON)
  const { store, visits, track } = await scene()
  const { id } = await buildCampaign(store, {
    code: 'Summer',
    startsAt: NOON,
    endsAt: new Date(NOON.getTime() + HOUR_MS),
  })
  const click = (visitor_id: string) => track({ code: 'SUMMER', visitor_id })

  freezeClock(new Date(NOON.getTime() - 1))
  await click('early')
  freezeClock(NOON)
  await click('first')
  freezeClock(new Date(NOON.getTime() + HOUR_MS - 1))
  await click('last')
  freezeClock(new Date(NOON.getTime() + HOUR_MS))
  await click('late')
  assert.equal(await visits(id), 2)

  freezeClock(NOON)
  const change = (changes: object) => inStore(store.id, (tx) => updateCampaign(tx, id, changes))
  await change({ isActive: false })
  await click('inactive')
  await change({ isActive: true, code: 'Fall' })
  await click('old code')
  await track({ code: 'fall', visitor_id: 'new code' })
  assert.equal(await visits(id), 3)
})

test('an unknown code gets the same response, and a flood of them fills no table', async () => {
  const { store, track, visits } = await scene()
  const known = await track({ visitor_id: 'ada' })

  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, n) => track({ code: `unknown-${n}`, visitor_id: `visitor-${n}` })),
  )

  const seen = ({ status, data, meta, error, error_code }: typeof known) => ({
    status,
    data,
    meta,
    error,
    error_code,
  })
  for (const answer of answers) assert.deepEqual(seen(answer), seen(known))
  assert.equal(await visits(), 1)
  const { rows } = await superuser.query(
    'select count(*) filter (where source_id <> $2)::int as known, count(*)::int as total from campaign_visits where store_id = $1',
    [store.id, '00000000-0000-0000-0000-000000000000'],
  )
  assert.equal(rows[0].known, 1)
  assert.ok(rows[0].total <= SHARED_ROWS + 1, `${rows[0].total} rows`)
})

test('above the most visitors of a code and day, further ones share rows, and known ones keep theirs', async () => {
  freezeClock(NOON)
  const { store, campaign, track, visits } = await scene()
  await track({ visitor_id: 'ada' })
  await superuser.query('update campaign_visit_days set visits = $2 where source_id = $1', [
    campaign.id,
    MAX_VISITORS_PER_DAY - 1,
  ])
  await track({ visitor_id: 'the last' })

  freezeClock(new Date(NOON.getTime() + HOUR_MS))
  await Promise.all(Array.from({ length: 600 }, (_, n) => track({ visitor_id: `visitor-${n}` })))
  await track({ visitor_id: 'ada' })

  const { rows } = await superuser.query(
    `select count(*) filter (where octet_length(visitor) > 1)::int as own, count(*)::int as total,
       count(*) filter (where octet_length(visitor) > 1 and clicked_at > $2)::int as later
     from campaign_visits where store_id = $1`,
    [store.id, NOON],
  )
  assert.partialDeepStrictEqual(rows[0], { own: 2, later: 1 })
  assert.ok(rows[0].total <= SHARED_ROWS + 2, `${rows[0].total} rows`)
  assert.equal(await visits(), MAX_VISITORS_PER_DAY + rows[0].total - 2)

  const { code } = await buildCampaign(store)
  await track({ code, visitor_id: 'grace' })
  freezeClock(new Date(NOON.getTime() + DAY_MS))
  await track({ visitor_id: 'grace' })
  const after = await rowsOf(store)
  assert.equal(after.campaign_visits?.length, rows[0].total + 2)
})

test('50 parallel clicks of a visitor count once; the naive way counts more', async () => {
  const { track, visits } = await scene()

  await Promise.all(Array.from({ length: 50 }, () => track({ visitor_id: 'ada' })))
  assert.equal(await visits(), 1)

  await superuser.query('create table naive_visits (visitor text)')
  const naive = async () => {
    const { rows } = await superuser.query("select from naive_visits where visitor = 'ada'")
    if (rows.length === 0) await superuser.query("insert into naive_visits values ('ada')")
  }
  await Promise.all(Array.from({ length: 50 }, naive))
  const { rows } = await superuser.query('select count(*)::int as count from naive_visits')
  await superuser.query('drop table naive_visits')
  assert.ok(rows[0].count > 1, `the control counted ${rows[0].count}`)
})

test('nothing that is stored holds the address, the agent, the pages or the id of a visitor', async () => {
  const { store, track } = await scene()

  await track({ url: 'https://secret.example/', referrer: 'https://from.example/' }, 'UniqueAgent/1.0')
  await track({ visitor_id: 'visitor-in-plain-text' })

  const rows = await rowsOf(store)
  assert.equal(rows.campaign_visits?.length, 2)
  const visits = `${rows.campaign_visits} ${rows.jobs} ${rows.idempotency_keys} ${rows.events}`
  for (const word of ['127.0.0.1', 'UniqueAgent', 'secret.example', 'from.example', 'visitor-in-plain-text'])
    assert.ok(!visits.includes(word), word)
})

test('the same visitor has another hash in another store', async () => {
  const [one, two] = [await scene(), await scene()]
  await one.track({ visitor_id: 'ada' })
  await two.track({ visitor_id: 'ada' })
  await one.track()
  await two.track()

  const { rows } = await superuser.query(
    'select count(distinct visitor)::int as hashes from campaign_visits where store_id in ($1, $2)',
    [one.store.id, two.store.id],
  )
  assert.equal(rows[0].hashes, 4)
})

const UNFIT: Record<string, object> = {
  'no code': { code: undefined },
  'a blank code': { code: ' ' },
  'a number': { code: 5 },
  'an unknown field': { ip: '1.2.3.4' },
  'a visitor without end': { visitor_id: 'x'.repeat(201) },
}

for (const [why, body] of Object.entries(UNFIT))
  test(`POST /marketing/track with ${why} returns 422`, async () => {
    const { track } = await scene()
    assert.equal((await track(body)).status, 422)
  })
