import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import '#test/support/database.ts'
import { closeSessionsOfDeletedStore } from '#shared/identity/sessions/close-sessions.ts'
import { detachCard } from '#shared/payments/jobs.ts'
import { CARD_PROVIDER } from '#shared/payments/provider.ts'
import { recordGatewayCustomer } from '#shared/payments/saved-cards/gateway-customer.ts'
import { recordSavedCard } from '#shared/payments/saved-cards/saved-card.ts'
import { db } from '#shared/platform/db/db.ts'
import { inStore } from '#shared/platform/db/store-scope.ts'
import { enqueue } from '#shared/platform/jobs/enqueue.ts'
import { now } from '#shared/platform/time/clock.ts'
import { purgeStore } from '#shared/stores/jobs.ts'
import { deleteStore } from '#shared/stores/lifecycle/delete-store.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { stripe } from '#test/support/builders/place-orders.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { superuser } from '#test/support/database.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { purgeStore as purge } from '#workers/stores/purge-store.ts'

beforeEach(() => gateway.faults.clear())

/** A deleted store under purge whose customer has saved cards at the gateway. */
async function scene(cards: number) {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const { id: reference } = await stripe.customers.create()
  const saved = await Promise.all(
    Array.from({ length: cards }, () =>
      stripe.paymentMethods.attach('pm_card_visa', { customer: reference }),
    ),
  )
  const owner = { customerId: customer.id, provider: CARD_PROVIDER }
  const record = (card: string) =>
    inStore(store.id, (tx) =>
      recordSavedCard(tx, owner, {
        reference: card,
        brand: 'visa',
        last4: '4242',
        expMonth: 12,
        expYear: 2040,
      }),
    )
  await inStore(store.id, (tx) => recordGatewayCustomer(tx, { ...owner, reference }))
  for (const { id } of saved) await record(id)
  return {
    record,
    references: saved.map(({ id }) => id),
    attached: async () => (await stripe.paymentMethods.list({ customer: reference, limit: 100 })).data.length,
    enqueue: (card: string) =>
      inStore(store.id, (tx) => enqueue(tx, detachCard, { provider: CARD_PROVIDER, reference: card })),
    forget: (card: string) =>
      inStore(store.id, (tx) => tx.knex('saved_cards').where({ reference: card }).delete()),
    /** Runs the purge. Returns the errors of its job. */
    purge: async () => {
      await inStore(store.id, (tx) => deleteStore(tx, closeSessionsOfDeletedStore)).catch(() => {})
      await db()('stores').where('id', store.id).update({ purge_requested_at: now() })
      await inStore(store.id, (tx) => enqueue(tx, purgeStore, {}))
      return (await drainJobs([purge])).flatMap(({ error }) => error ?? [])
    },
    exists: async () =>
      (await superuser.query('select from stores where id = $1', [store.id])).rows.length > 0,
  }
}

test('the purge of a store removes its saved cards at the gateway', async () => {
  const { purge, attached, exists } = await scene(25)
  const before = await attached()

  const errors = await purge()

  assert.deepEqual(errors, [])
  assert.equal(before, 25)
  assert.equal(await attached(), 0)
  assert.equal(await exists(), false)
})

test('the purge removes the card of an erased customer whose job has not run', async () => {
  const { purge, attached, enqueue, forget, references } = await scene(1)
  await enqueue(references[0] ?? '')
  await forget(references[0] ?? '')

  await purge()

  assert.equal(await attached(), 0)
})

test('a card that the gateway refuses to remove does not stop the purge', async () => {
  const { purge, attached, record, exists } = await scene(1)
  await record('pm_unknown')

  const errors = await purge()

  assert.deepEqual(errors, [])
  assert.equal(await attached(), 0)
  assert.equal(await exists(), false)
})

test('a purge without a response of the gateway keeps the cards, and its repeat removes them', async () => {
  const { purge, attached, exists } = await scene(1)
  gateway.faults.set({ on: 'POST /v1/payment_methods/:id/detach', mode: 'error_before', times: 1 })

  const errors = await purge()
  const kept = { attached: await attached(), exists: await exists() }
  const later = await purge()

  assert.equal(errors.length, 1)
  assert.deepEqual(kept, { attached: 1, exists: true })
  assert.deepEqual(later, [])
  assert.equal(await attached(), 0)
  assert.equal(await exists(), false)
})
