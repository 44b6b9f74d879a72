import '#test/support/processes/gateway.ts'
import { DAY_MS, inMs } from '#shared/platform/time/clock.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { createRefund } from '#test/sandbox/gateway/refunds.ts'
import type { DisputeStatus } from '#test/sandbox/gateway/types.ts'
import { compareWithGateway } from '#test/support/books/compare-with-gateway.ts'
import { eventsOf } from '#test/support/books/read-refunds.ts'
import { buildStaff } from '#test/support/builders/accounts.ts'
import { buildShop, confirm, placeCardOrder } from '#test/support/builders/place-orders.ts'
import { request } from '#test/support/processes/app.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { drainJobs } from '#test/support/processes/jobs.ts'
import { notify } from '#test/support/processes/notify.ts'
import { stripeGateway } from '#workers/gateways/stripe/stripe-gateway.ts'

/** A paid card order of 25.00, with the gateway's dashboard and the bank of its buyer. */
export async function buildOrderPaidByCard({ card = 'pm_card_visa', currency = 'EUR' } = {}) {
  const shop = await buildShop(10, { currency })
  const order = await placeCardOrder(shop, 2)
  const { token } = await buildStaff(shop.store, { role: 'owner' })
  await notify('payment_intent.succeeded', await confirm(order.reference, card))
  const refundInDashboard = (amount?: number) =>
    gateway.change((context) =>
      createRefund(context, {
        payment_intent: order.reference,
        ...(amount ? { amount: String(amount) } : {}),
      }),
    )
  const patch = async (status: string) => {
    const answered = await request(`PATCH /admin/orders/${order.id}`, {
      token,
      headers: { Prefer: 'respond-async' },
      body: { status },
    })
    await drainJobs()
    return answered
  }
  return {
    shop,
    order,
    token,
    refundInDashboard,
    patch,
    read: async () => (await request(`GET /admin/orders/${order.id}`, { token })).data,
    events: (...types: string[]) => eventsOf(shop.store, order.id, ...types),
    compareWithLedger: () =>
      compareWithGateway(stripeGateway(), shop.store.id, { from: inMs(-DAY_MS), to: inMs(DAY_MS) }),
    dispute: async (amount?: number) => {
      const dispute = gateway.change((context) =>
        openDispute(context, { payment_intent: order.reference, ...(amount ? { amount } : {}) }),
      )
      await notify('charge.dispute.created', dispute)
      return async (status: DisputeStatus) => {
        const changed = gateway.change((context) => changeDispute(context, dispute.id, status))
        const isOpen = status === 'under_review'
        await notify(isOpen ? 'charge.dispute.updated' : 'charge.dispute.closed', changed)
      }
    },
  }
}
