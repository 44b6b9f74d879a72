import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { Order } from '#shared/orders/order.ts'
import { recoverPayments } from '#shared/payments/recover-payments.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueueDueCharges } from '#shared/subscriptions/enqueue-due.ts'
import { testBooks } from '#test/support/books/test-books.ts'
import { at, subscribed } from '#test/support/builders/card-charge-scene.ts'
import { freezeClock } from '#test/support/clock.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { chargeSubscription } from '#workers/subscriptions/charge-subscription.ts'

beforeEach(() => gateway.faults.clear())

const setStoreStatus = (store: { id: string }, status: 'active' | 'suspended' | 'deleted') =>
  db().raw('update stores set status = ? where id = ?', [status, store.id])

for (const closed of ['suspended', 'deleted'] as const)
  test(`a charge whose job waits when its store is ${closed} is made only when the store is back`, async () => {
    const { id, store, captured } = await subscribed()
    freezeClock(new Date('2027-02-28T10:00Z'))
    await enqueueDueCharges()
    await setStoreStatus(store, closed)
    await drainJobs()
    const ordered = await inStore(store.id, (tx) => Order.in(tx).where({ subscription_id: id, charge_no: 2 }))
    const whileClosed = captured()

    await setStoreStatus(store, 'active')
    await at('2027-02-28T12:00Z')

    assert.deepEqual({ ordered, whileClosed }, { ordered: [], whileClosed: [1_300] })
    assert.deepEqual(captured(), [1_300, 1_300])
  })

for (const closed of ['suspended', 'deleted'] as const)
  test(`an ordered charge that is not sent when its store is ${closed} is sent when the store is back`, async () => {
    const { store, captured } = await subscribed()
    freezeClock(new Date('2027-02-28T10:00Z'))
    await enqueueDueCharges()
    await drainJobs([chargeSubscription])
    await setStoreStatus(store, closed)
    await drainJobs()
    const whileClosed = captured()

    await setStoreStatus(store, 'active')
    freezeClock(new Date('2027-02-28T10:05Z'))
    await recoverPayments()
    await drainJobs()

    assert.deepEqual(whileClosed, [1_300])
    assert.deepEqual(captured(), [1_300, 1_300])
  })

testBooks()
