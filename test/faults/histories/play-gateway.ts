import { receiveNotification } from '#shared/payments/notifications/receive-notification.ts'
import { listPayments } from '#shared/payments/payment.ts'
import { changeDispute, openDispute } from '#test/sandbox/gateway/disputes.ts'
import { confirmIntent, createIntent } from '#test/sandbox/gateway/payment-intents.ts'
import { bounceRefund, createRefund, settleRefund } from '#test/sandbox/gateway/refunds.ts'
import { gateway } from '#test/support/processes/gateway.ts'
import { inShop, orderOf, type Play, type Plays, shareOf } from './play.ts'

/** Plays what happens at the gateway, and which of its events arrive. */
export const PLAY_GATEWAY: Plays<
  'confirm' | 'payTwice' | 'refundInDashboard' | 'endRefund' | 'dispute' | 'decide' | 'deliver' | 'kill'
> = {
  async confirm(play, { order, card, difference }) {
    const payments = await inShop(play, async (tx) => listPayments(tx, orderOf(play, order).id))
    const reference = payments.findLast(({ gatewayReference }) => gatewayReference)?.gatewayReference
    if (!reference) return
    gateway.change((context) => {
      const intent = context.books.find('payment_intents', reference)
      if (intent && difference)
        context.books.put('payment_intents', {
          ...intent,
          amount: intent.amount + difference * (intent.currency === 'huf' ? 100 : 1),
        })
      return confirmIntent(context, reference, { payment_method: `pm_card_${card}` })
    })
  },

  async payTwice(play, { order }) {
    const { id: orderId } = orderOf(play, order)
    const payments = await inShop(play, async (tx) => listPayments(tx, orderId))
    const first = payments.find(({ gatewayReference }) => gatewayReference)
    if (!first) return
    const intent = gateway.change(({ books }) => books.find('payment_intents', first.gatewayReference ?? ''))
    if (!intent) return
    gateway.change((context) => {
      const metadata = { store_id: play.shop.store.id, order_id: orderId, payment_id: first.id }
      const { id } = createIntent(context, {
        amount: `${intent.amount}`,
        currency: intent.currency,
        metadata,
      })
      confirmIntent(context, id, { payment_method: 'pm_card_visa' })
    })
  },

  async refundInDashboard(play, { order, share }) {
    const charge = await chargeOf(play, order)
    if (!charge) return
    const units = Number(shareOf(BigInt(charge.amount_captured), share))
    const amount = String(play.shop.store.currency === 'KWD' ? Math.max(10, units - (units % 10)) : units)
    gateway.change((context) =>
      createRefund(context, { payment_intent: charge.payment_intent ?? '', amount }),
    )
  },

  async endRefund(play, { order, outcome }) {
    const charge = await chargeOf(play, order)
    const refunds = gateway.ledger().refunds.filter((refund) => refund.charge === charge?.id)
    const pending = refunds.find(({ status }) => status === 'pending')
    const succeeded = refunds.find(({ status }) => status === 'succeeded')
    if (pending) gateway.change((context) => settleRefund(context, pending.id, outcome))
    else if (succeeded && outcome === 'failed')
      gateway.change((context) => bounceRefund(context, succeeded.id))
  },

  async dispute(play, { order, share }) {
    const charge = await chargeOf(play, order)
    if (!charge || charge.disputed) return
    const amount = Number(shareOf(BigInt(charge.amount_captured), share))
    gateway.change((context) => openDispute(context, { payment_intent: charge.payment_intent ?? '', amount }))
  },

  async decide(play, { order, status }) {
    const charge = await chargeOf(play, order)
    const dispute = gateway.ledger().disputes.find((one) => one.charge === charge?.id)
    if (dispute) gateway.change((context) => changeDispute(context, dispute.id, status))
  },

  async deliver(play, { how }) {
    const events = eventsAfter(play)
    play.delivered += events.length
    if (how === 'never') return
    const sent = how === 'reversed' ? events.toReversed() : how === 'twice' ? [...events, ...events] : events
    for (const { id, type, data } of sent)
      await receiveNotification({ provider: 'stripe', id, type, object: { ...data.object } })
  },

  async kill(_, { call, mode }) {
    gateway.faults.set({ on: call, mode, times: 1 })
  },
}

const eventsAfter = ({ delivered }: Play) =>
  gateway.change(({ books }) => books.all('events')).slice(delivered)

async function chargeOf(play: Play, position: number) {
  const payments = await inShop(play, async (tx) => listPayments(tx, orderOf(play, position).id))
  const references = payments.map(({ gatewayReference }) => gatewayReference)
  return gateway
    .ledger()
    .charges.findLast(({ payment_intent, captured }) => captured && references.includes(payment_intent))
}
