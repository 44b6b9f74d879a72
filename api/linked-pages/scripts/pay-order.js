import { confirmCard } from './card.js'
import { texts } from './page-state.js'
import { call } from './service.js'
import { accessToken } from './session.js'
import { formatMoney } from './table.js'

const AWAITS_PAYMENT = ['pending', 'failed']

/** Whether an order waits for a card: for its payment, or a free one for a card to save. */
export const awaitsCard = ({ status, payment_method }) =>
  payment_method === 'card' && AWAITS_PAYMENT.includes(status)

/** Returns the amount that the card pays. */
export const dueOf = ({ total, voucher_total }) => total - voucher_total

/**
 * Opens the payment of an order and takes the card for it. Resolves as `confirmCard`. `guestToken`: the token of a guest's
 * link.
 */
export async function payOrder(orderId, guestToken) {
  const query = guestToken ? `?access_token=${encodeURIComponent(guestToken)}` : ''
  const line = `POST /orders/${encodeURIComponent(orderId)}/pay${query}`
  const { order, payment } = await call(line, { token: accessToken(), body: {}, isRepeatable: true })
  const due = formatMoney(dueOf(order), order.currency)
  return confirmCard(payment, payment.kind === 'setup' ? texts.saveCard : `${texts.payNow} ${due}`)
}
