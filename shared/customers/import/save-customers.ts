import { inviteCustomer } from '#shared/customers/account/create-customer.ts'
import { type Customer, viewCustomerEvent } from '#shared/customers/customer.ts'
import { CustomerAddress } from '#shared/customers/customer-address.ts'
import { addToCount } from '#shared/customers/customer-counts.ts'
import { indexCustomers } from '#shared/customers/customer-words.ts'
import { customerCreated, customerUpdated } from '#shared/customers/events.ts'
import { revokeAccess } from '#shared/identity/sessions/revoke-access.ts'
import { newId } from '#shared/platform/db/id.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { emitAll } from '#shared/platform/events/events.ts'
import { now } from '#shared/platform/time/clock.ts'
import type { CustomerPlan } from './plan-customer.ts'

/**
 * Saves planned customers with one statement for each table. New and changed customers emit events. Unchanged customers
 * are not written, and deactivated ones are signed out. Mails are sent only with `sendsInvitations`.
 */
export async function saveCustomers(
  tx: StoreTx,
  plans: CustomerPlan[],
  { sendsInvitations }: { sendsInvitations: boolean },
): Promise<void> {
  const changed = plans.filter(({ isChanged }) => isChanged)
  const customers = changed.map(({ customer }) => customer)
  await upsert(tx, customers)
  await indexCustomers(tx, customers)
  await addAddresses(tx, plans)
  await countMoves(tx, changed)
  for (const { before, customer } of changed)
    if (before?.isActive && !customer.isActive)
      await revokeAccess(tx, { type: 'customer', id: customer.id }, 'switched_off')
  const created = changed.filter(({ before }) => !before).map(({ customer }) => customer)
  const updated = changed.filter(({ before }) => before).map(({ customer }) => customer)
  await emitAll(tx, customerCreated, created.map(viewCustomerEvent))
  await emitAll(tx, customerUpdated, updated.map(viewCustomerEvent))
  if (sendsInvitations)
    for (const customer of created) if (customer.isActive) await inviteCustomer(tx, customer)
}

// If somebody registers an address at the same time, this conflicts. Then the job runs again and finds the customer.
const UPSERT = `
  insert into customers (store_id, id, email, email_normalized, firstname, lastname, telephone, language, is_active,
    accepts_marketing, tax_exempt, tax_number, note, customer_group_id, created_at, updated_at)
  select cast(? as uuid), r.*
  from jsonb_to_recordset(cast(? as jsonb)) as r(id uuid, email text, email_normalized text, firstname text,
    lastname text, telephone text, language text, is_active boolean, accepts_marketing boolean, tax_exempt boolean,
    tax_number text, note text, customer_group_id uuid, created_at timestamptz, updated_at timestamptz)
  on conflict (store_id, id) do update set
    firstname = excluded.firstname, lastname = excluded.lastname, telephone = excluded.telephone,
    language = excluded.language, is_active = excluded.is_active, accepts_marketing = excluded.accepts_marketing,
    tax_exempt = excluded.tax_exempt, tax_number = excluded.tax_number, note = excluded.note,
    customer_group_id = excluded.customer_group_id, updated_at = excluded.updated_at`

async function upsert(tx: StoreTx, customers: Customer[]): Promise<void> {
  const rows = customers.map((one) => ({
    id: one.id,
    email: one.email,
    email_normalized: one.emailNormalized,
    firstname: one.firstname,
    lastname: one.lastname,
    telephone: one.telephone,
    language: one.language,
    is_active: one.isActive,
    accepts_marketing: one.acceptsMarketing,
    tax_exempt: one.taxExempt,
    tax_number: one.taxNumber,
    note: one.note,
    customer_group_id: one.customerGroupId,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
  }))
  if (rows.length) await tx.knex.raw(UPSERT, [tx.storeId, JSON.stringify(rows)])
}

async function addAddresses(tx: StoreTx, plans: CustomerPlan[]): Promise<void> {
  const at = now()
  const rows = plans.flatMap(({ customer, newAddress }) =>
    newAddress === null || newAddress === 'full'
      ? []
      : { id: newId(), customerId: customer.id, ...newAddress, createdAt: at, updatedAt: at },
  )
  if (rows.length) await CustomerAddress.in(tx).insert(rows)
}

/** Updates the numbers of the groups' customers, by ascending group id. */
async function countMoves(tx: StoreTx, changed: CustomerPlan[]): Promise<void> {
  const moves = changed.flatMap(({ before, customer }) => [
    { group: customer.customerGroupId, by: 1 },
    ...(before ? [{ group: before.customerGroupId, by: -1 }] : []),
  ])
  const byGroup = [...Map.groupBy(moves, ({ group }) => group)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [group, all] of byGroup) {
    const by = all.reduce((sum, move) => sum + move.by, 0)
    if (by !== 0) await addToCount(tx, group, by)
  }
}
