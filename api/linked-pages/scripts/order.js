import { NOT_CONFIRMED } from './card.js'
import { link, redirectStatus } from './link.js'
import { cards, explain, say, texts } from './page-state.js'
import { awaitsCard, dueOf, payOrder } from './pay-order.js'
import { call, readUntil } from './service.js'
import { accessToken, closeSession, signInFor } from './session.js'
import { fillTable, formatMoney } from './table.js'

// Shows the order of a link, and takes its payment. A guest's link has a token; a customer signs in.

const button = document.querySelector('#pay')
const id = link.get('order')
const guestToken = link.get('token')
const REFUSED = ['failed', 'canceled']

function readOrder() {
  const query = guestToken ? `?access_token=${encodeURIComponent(guestToken)}` : ''
  return call(`GET /orders/${encodeURIComponent(id)}${query}`, { token: accessToken() })
}

function show(order) {
  document.querySelector('#number').textContent = order.number
  document.querySelector('#state').textContent = texts[order.status]
  fillTable(
    document.querySelector('table'),
    rowsOf(order).map(([name, amount]) => [name, formatMoney(amount, order.currency)]),
  )
  button.hidden = !(cards && awaitsCard(order))
  button.textContent = dueOf(order) > 0 ? texts.payByCard : texts.giveCard
}

function rowsOf(order) {
  const isNet = !order.prices_include_tax
  const taxes = order.taxes.map(({ name, amount }) => [isNet ? name : `${texts.including} ${name}`, amount])
  const unlessZero = (name, amount) => (amount === 0 ? [] : [[name, amount]])
  return [
    ...order.items.map(({ quantity, name, line_total }) => [`${quantity} × ${name}`, line_total]),
    ...unlessZero(texts.discount, -order.discount_total),
    ...unlessZero(texts.shipping, order.shipping_total),
    ...(isNet ? taxes : []),
    ...unlessZero(texts.rounding, order.rounding_total),
    [texts.total, order.total],
    ...(isNet ? [] : taxes),
    ...unlessZero(texts.voucher, order.voucher_total),
    ...unlessZero(texts.refundedAmount, order.amount_refunded),
  ]
}

/** How an unpaid order is paid, where this page does not take its payment. */
function sayHowToPay(order) {
  if (awaitsCard(order) && !cards) say(texts.unpaid)
  if (order.payment_method === 'bank_transfer' && order.status === 'pending') say(texts.transfer)
}

/** After the return from a bank's page, the bank's answer counts. */
async function load() {
  const order = await readOrder()
  show(order)
  if (!redirectStatus) return sayHowToPay(order)
  if (awaitsCard(order) && REFUSED.includes(redirectStatus)) return say(texts.notPaid)
  await awaitPayment()
}

async function pay() {
  button.hidden = true
  say('')
  try {
    const reason = NOT_CONFIRMED[await payOrder(id, guestToken)]
    if (reason === undefined) return await awaitPayment()
    say(reason)
  } catch (error) {
    explain(error)
  }
  show(await readOrder())
}

/** Waits until the gateway's notification has changed the order. */
async function awaitPayment() {
  button.hidden = true
  say(texts.waiting)
  const order = await readUntil(readOrder, (read) => !awaitsCard(read))
  show(order)
  button.hidden = true
  say(outcomeOf(order))
  await closeSession()
}

function outcomeOf(order) {
  if (awaitsCard(order)) return texts.underWay
  // Its goods were sold in the meantime, for example.
  if (order.status === 'canceled') return texts.moneyReturned
  return dueOf(order) > 0 ? texts.paid : texts.confirmed
}

button.addEventListener('click', () => pay().catch(explain))

if (!id) say(texts.incomplete)
else if (guestToken) load().catch(explain)
else {
  signInFor(load)
  if (redirectStatus) say(texts.signInForOutcome)
}
