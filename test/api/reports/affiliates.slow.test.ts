import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payOut } from '#shared/affiliates/commissions/pay-out.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { DAY_MS } from '#shared/platform/time/clock.ts'
import { requestRefund } from '#shared/refunds/request/request-refund.ts'
import { reportReader } from '#test/support/books/ask-report.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { buildAffiliate, buildCompleteOrder } from '#test/support/builders/affiliates.ts'
import { requester } from '#test/support/builders/refund-requester.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { freezeClock } from '#test/support/clock.ts'
import { request } from '#test/support/processes/app.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'

const START = Date.parse('2026-10-01T12:00:00.000Z')
const onDay = (day: number) => freezeClock(new Date(START + day * DAY_MS))

test('affiliates have the sums of their ledgers, and the payable amount at the end of the range', async () => {
  onDay(0)
  const store = await buildStore()
  const affiliate = await buildAffiliate(store, { commissionBasisPoints: 1_000 })
  await buildAffiliate(store)
  await request('POST /marketing/track', { store, body: { code: affiliate.code, visitor_id: 'ada' } })
  await buildCompleteOrder(store, { affiliateId: affiliate.id })
  const refunded = await buildCompleteOrder(store, { affiliateId: affiliate.id })
  await drainJobs()
  onDay(40)
  await inStore(store.id, (tx) =>
    payOut(tx, affiliate.id, { amountMinor: 150n }, { currency: 'EUR', actor: 'system' }),
  )
  onDay(41)
  await inStore(store.id, (tx) => {
    const items = [{ orderItemId: refunded.lines[0]?.id ?? '', quantity: 1 }]
    return requestRefund(
      tx,
      refunded.id,
      { items, reason: 'Late', means: 'outside_gateway' },
      requester('system'),
    )
  })
  await drainJobs()
  const ask = await reportReader(store)
  const read = async (from: string, to: string) =>
    (await ask(`affiliates?date_from=${from}&date_to=${to}`)).rows

  const [row, ...others] = await read('2026-10-01', '2026-11-30')
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(row, {
    affiliate_id: affiliate.id,
    code: affiliate.code,
    status: 'approved',
    visits: 1,
    orders: 2,
    earned: 4,
    reversed: 1,
    paid: 1.5,
    payable: 1.5,
    balance: 1.5,
  })
  assert.partialDeepStrictEqual(await read('2026-10-01', '2026-10-15'), [
    { earned: 4, reversed: 0, paid: 0, payable: 0, balance: 4 },
  ])
  assert.deepEqual(await ask('affiliates?status=pending').then(({ rows }) => rows), [])
})

testBooks()
