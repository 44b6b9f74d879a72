import assert from 'node:assert/strict'
import { test } from 'node:test'
import '#test/support/database.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { findSubscription, lockSubscription } from '#shared/subscriptions/subscription.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { buildSubscription } from '#test/support/builders/subscriptions.ts'

test('changing a subscription returns the stored row and leaves the given object unchanged', async () => {
  const store = await buildStore()
  const { id } = await buildSubscription(store)

  await inStore(store.id, async (tx) => {
    const given = await lockSubscription(tx, id)
    const before = { ...given }
    const changed = await given.change(tx, { quantity: 3, cancelsAtPeriodEnd: true })

    assert.deepEqual({ ...given }, before)
    assert.partialDeepStrictEqual(changed, { quantity: 3, cancelsAtPeriodEnd: true })
    assert.ok(changed.updatedAt > given.updatedAt)
    assert.deepEqual(changed, await findSubscription(tx, id))
  })
})
