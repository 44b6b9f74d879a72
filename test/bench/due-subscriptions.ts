import { inStore } from '#shared/platform/db/store-scope.ts'
import { createCustomer } from '#test/sandbox/gateway/customers.ts'
import type { Gateway } from '#test/sandbox/gateway/gateway.ts'
import { attachMethod, saveMethod } from '#test/sandbox/gateway/payment-methods.ts'
import { buildCardSubscription } from '#test/support/builders/card-subscriptions.ts'

const PER_STATEMENT = 1_000

interface Given {
  gateway: Gateway
  store: { id: string }
  count: number
  dueAt: Date
}

/**
 * Subscriptions that are due at one time, each of a customer of its own with a saved card at the sandbox gateway. They
 * are copies of one that is built as in the tests, because a checkout for each would take hours.
 */
export async function fillDueSubscriptions({ gateway, store, count, dueAt }: Given): Promise<void> {
  const { id } = await buildCardSubscription(gateway, store, { stockOnHand: count + 10 })
  for (let done = 0; done < count; done += PER_STATEMENT) {
    const cards = Array.from({ length: Math.min(PER_STATEMENT, count - done) }, () => saveCard(gateway))
    const [customers, methods] = [cards.map(({ customer }) => customer), cards.map(({ method }) => method)]
    await inStore(store.id, ({ knex }) => knex.raw(COPY, { id, customers, methods, dueAt }))
  }
}

/** Copies a subscription of a store many times: of the same customer, and never charged unless a worker runs. */
export const copySubscriptions = (
  store: { id: string },
  id: string,
  { count, dueAt }: { count: number; dueAt: Date },
): Promise<void> =>
  inStore(store.id, async ({ knex }) => {
    await knex.raw(
      `insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object(
         'id', gen_random_uuid(), 'due_at', ?::timestamptz + n * interval '1 second'))).*
       from subscriptions s, generate_series(1, ?::int) n where s.id = ?`,
      [dueAt, count, id],
    )
  })

/** The subscriptions of `fillDueSubscriptions` that are not charged yet. */
export async function countDue(store: { id: string }, dueAt: Date): Promise<number> {
  const row = await inStore(store.id, ({ knex }) =>
    knex('subscriptions').where({ charge_no: 2, next_charge_at: dueAt }).count('* as count').first(),
  )
  return Number(row?.count)
}

function saveCard(gateway: Gateway): { customer: string; method: string } {
  return gateway.change((context) => {
    const { id: customer } = createCustomer(context, {})
    const { id: method } = attachMethod(context, 'pm_card_visa', { customer })
    saveMethod(context, method, customer)
    return { customer, method }
  })
}

/** Copies a subscription and its customer, once for each card. */
const COPY = `
  with cards as (
    select gen_random_uuid() as customer_id, gen_random_uuid() as subscription_id, customer, method
    from unnest(:customers::text[], :methods::text[]) as card(customer, method)
  ), original as (
    select s, c, g from subscriptions s
      join customers c on c.id = s.customer_id
      join gateway_customers g on g.customer_id = s.customer_id
    where s.id = :id
  ), copied_customers as (
    insert into customers overriding user value select (jsonb_populate_record(c, jsonb_build_object(
      'id', customer_id, 'email', customer || '@bench.example', 'email_normalized', customer || '@bench.example'))).*
    from original, cards
  ), copied_gateway_customers as (
    insert into gateway_customers
      select (jsonb_populate_record(g, jsonb_build_object('customer_id', customer_id, 'reference', customer))).*
    from original, cards
  )
  insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object(
    'id', subscription_id, 'customer_id', customer_id, 'due_at', :dueAt::timestamptz, 'next_charge_at', :dueAt::timestamptz,
    'card', jsonb_set((s).card, '{reference}', to_jsonb(method))))).*
  from original, cards`
