import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasRulesForGroup } from '#shared/catalog/prices/has-rules-for-group.ts'
import '#test/support/database.ts'
import { updateCustomer } from '#shared/customers/account/update-customer.ts'
import { Customer } from '#shared/customers/customer.ts'
import { createCustomerGroup } from '#shared/customers/groups/create-customer-group.ts'
import { deleteCustomerGroup } from '#shared/customers/groups/delete-customer-group.ts'
import { lockKnownCustomers } from '#shared/customers/import/known-customers.ts'
import type { ImportJob } from '#shared/imports/import-job.ts'
import { newId } from '#shared/platform/db/id.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { buildCustomer } from '#test/support/builders/accounts.ts'
import { buildStore } from '#test/support/builders/store.ts'
import { pending, untilSomeWait } from '#test/support/races/overlap.ts'

/** A customer of a group, and another group. */
async function scene() {
  const store = await buildStore()
  const customer = await buildCustomer(store)
  const ids = await inStore(store.id, async (tx) => {
    const group = await createCustomerGroup(tx, { nameI18n: { en: 'Trade' } })
    const other = await createCustomerGroup(tx, { nameI18n: { en: 'Press' } })
    await Customer.in(tx).findById(customer.id).patch({ customerGroupId: group.id })
    return { groupId: group.id, otherId: other.id }
  })
  return { store, customer, ...ids }
}

type Scene = Awaited<ReturnType<typeof scene>>

/** Runs the deletion of the group and `change`. Both wait first for the customer, the deletion before `change`. */
async function meet({ store, customer, groupId, otherId }: Scene, change: (tx: StoreTx) => Promise<unknown>) {
  const runs = { deletion: 0, change: 0 }
  const run = (name: keyof typeof runs, work: (tx: StoreTx) => Promise<unknown>) =>
    inStore(store.id, async (tx) => {
      runs[name] += 1
      await work(tx)
    })
  const held = await pending(
    (work) => inStore(store.id, work),
    async (tx) => await Customer.in(tx).findById(customer.id).forNoKeyUpdate(),
  )
  const deleting = run('deletion', (tx) => deleteCustomerGroup(tx, groupId, otherId, hasRulesForGroup))
  await untilSomeWait(1)
  const changing = run('change', change)
  await untilSomeWait(2)
  held.commit()
  await Promise.all([held.done, deleting, changing])
  return runs
}

test('the deletion of a group and an import of its customers do not deadlock', async () => {
  const { customer, ...rest } = await scene()

  const runs = await meet({ customer, ...rest }, (tx) =>
    lockKnownCustomers(
      tx,
      { id: newId() } as ImportJob,
      new Map([[customer.email, [{ group: { id: rest.groupId, name: null } }]]]),
    ),
  )

  assert.deepEqual(runs, { deletion: 1, change: 1 })
})

test('the deletion of a group and a change of its customer do not deadlock', async () => {
  const { store, customer, otherId, ...rest } = await scene()

  const runs = await meet({ store, customer, otherId, ...rest }, async (tx) =>
    updateCustomer(tx, await readStore(tx), customer.id, { customerGroupId: otherId }, undefined),
  )

  assert.deepEqual(runs, { deletion: 1, change: 1 })
})

test('an import reads the groups that its rows name, and no others', async () => {
  const { store, groupId } = await scene()
  const named = (group: { id: string | null; name: string | null }) =>
    inStore(store.id, async (tx) => {
      const rows = new Map([['ada@example.test', [{ group }]]])
      const { groups } = await lockKnownCustomers(tx, { id: newId() } as ImportJob, rows)
      return { byId: [...groups.byId.keys()], byName: [...groups.byName.keys()] }
    })

  assert.deepEqual(await named({ id: groupId, name: null }), { byId: [groupId], byName: ['Trade'] })
  assert.deepEqual(await named({ id: null, name: 'Trade' }), { byId: [groupId], byName: ['Trade'] })
  assert.deepEqual(await named({ id: null, name: null }), { byId: [], byName: [] })
})
