import assert from 'node:assert/strict'
import type { SandboxAccess } from './access.ts'
import type { Client } from './client.ts'
import { mailsTo } from './shopping.ts'

interface Year {
  web: Client
  access: SandboxAccess
  customer: Client
  /** The name of the receiver's hook. */
  hook: string
  email: string
  subscriptions: string[]
}

/**
 * Compares what a customer's subscriptions charged in a year: their orders, the mails, the webhooks and the gateway.
 */
export async function compareYear({
  web,
  access,
  customer,
  hook,
  email,
  subscriptions,
}: Year): Promise<void> {
  const lists = await Promise.all(
    subscriptions.map((id) => customer.call(`GET /orders?subscription_id=${id}&page_size=100`)),
  )
  const listed: { id: string; number: string; status: string; total: number }[] = lists.flatMap(
    ({ data }) => data,
  )
  // The subscriptions share their first order.
  const orders = [...new Map(listed.map((order) => [order.id, order])).values()]
  assert.deepEqual([...new Set(orders.map(({ status }) => status))], ['processing'])
  const totals = new Map(orders.map(({ id, total }) => [id, cents(total)]))

  const { data: ended } = await customer.call('GET /subscriptions?status=canceled,completed')
  const made = ended.map(({ past_charges }: { past_charges: number }) => past_charges)
  assert.equal(sum(made), listed.length)

  const letters = await mailsTo(web, access, email, orders.length)
  for (const { number } of orders)
    assert.equal(
      letters.filter(({ subject }) => subject.startsWith(`Payment received for your order ${number}`)).length,
      1,
      `one mail says that ${number} is paid`,
    )

  // One to confirm the address, one for the placed order, three failed attempts, and the end of the trial, the card,
  // the changed quantity and address, the completion, the cancellation and the end.
  assert.equal(letters.length, orders.length + 11)

  const received = await web.call(`GET /hooks/${hook}/requests`, { at: access.receiver_url })
  const events: Event[] = received.body.map(({ body }: { body: string }) => JSON.parse(body))
  const paid = events.filter(({ type, data }) => type === 'order.paid' && totals.has(data.id))
  assert.deepEqual(new Map(paid.map(({ data }) => [data.id, cents(data.total)])), totals)
  assert.equal(paid.length, orders.length)
  const countOf = (type: string) =>
    events.filter((event) => event.type === `subscription.${type}` && subscriptions.includes(event.data.id))
      .length
  assert.deepEqual(
    {
      created: countOf('created'),
      charged: countOf('charged'),
      failed: countOf('payment_failed'),
      cards: countOf('card_changed'),
      completed: countOf('completed'),
      canceled: countOf('canceled'),
    },
    { created: 2, charged: sum(made), failed: 3, cards: 1, completed: 1, canceled: 1 },
  )

  const { body: ledger } = await web.call('GET /_sandbox/ledger', { at: access.gateway_url })
  const intents: Intent[] = ledger.payment_intents
  const first = intents.find(({ metadata }) => totals.has(metadata.order_id ?? ''))
  const captured = intents.filter(
    ({ customer: one, status }) => one === first?.customer && status === 'succeeded',
  )
  assert.deepEqual(
    new Map(captured.map(({ metadata, amount_received }) => [metadata.order_id, amount_received])),
    totals,
  )
  assert.equal(captured.length, orders.length, 'each order was charged once')
}

interface Event {
  type: string
  data: { id: string; total: number }
}

interface Intent {
  customer: string | null
  status: string
  amount_received: number
  metadata: { order_id?: string }
}

const cents = (amount: number): number => Math.round(amount * 100)
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0)
