import { language, texts } from './page-state.js'
import { formatMoney } from './table.js'

/** Writes a date in the store's time zone, as the mails do. */
export const formatDate = (time, { time_zone: timeZone }) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone }).format(new Date(time))

/** Why a charge failed, or would fail today: an error code of the checkout, or the gateway's reason. */
export const explainReason = (reason) =>
  texts.failures[reason] ?? texts.failures[reason.includes('.') ? 'order' : 'declined']

/** What the subscription is. */
export function factsOf(subscription, store) {
  const { plan_name, quantity, name, card, charges_left, next_price, currency } = subscription
  return [
    [texts.plan, plan_name],
    [texts.goods, `${quantity} × ${name}`],
    ...(card ? [[texts.paidBy, `${card.brand} •••• ${card.last4}, ${card.exp_month}/${card.exp_year}`]] : []),
    ...(charges_left === null ? [] : [[texts.chargesLeft, String(charges_left)]]),
    ...(next_price
      ? [
          [
            `${texts.priceFrom} ${formatDate(next_price.from, store)}`,
            formatMoney(next_price.unit_price, currency),
          ],
        ]
      : []),
  ]
}

/** What the next charge is made of. */
export function amountsOf(
  { next_charge: charge, name, quantity, currency },
  { prices_include_tax: isGross },
) {
  if (!charge?.amount) return []
  const { subtotal, shipping_total, tax_total, total } = charge.amount
  const unlessZero = (label, amount) => (amount === 0 ? [] : [[label, formatMoney(amount, currency)]])
  const tax = unlessZero(isGross ? texts.includingTax : texts.tax, tax_total)
  return [
    [`${quantity} × ${name}`, formatMoney(subtotal, currency)],
    ...unlessZero(texts.shipping, shipping_total),
    ...(isGross ? [] : tax),
    [texts.total, formatMoney(total, currency)],
    ...(isGross ? tax : []),
  ]
}

/** The next charge, which may be the open one, in one sentence; empty when none follows. */
export function describeNext(subscription, store) {
  const { next_charge: charge, next_charge_at, cancels_at_period_end, failed_charge } = subscription
  if (cancels_at_period_end) return `${texts.endsOn} ${formatDate(next_charge_at, store)}.`
  if (!charge) return ''
  const date = `${failed_charge ? texts.openCharge : texts.nextCharge} ${formatDate(charge.at, store)}`
  return charge.problem ? `${date}. ${texts.problem} ${explainReason(charge.problem)}` : date
}

/** Why the open charge failed and when it is tried again; empty when none failed. */
export function describeFailure({ failed_charge: failure }, store) {
  if (!failure) return ''
  const again = failure.next_attempt_at
    ? `${texts.triedAgain} ${formatDate(failure.next_attempt_at, store)}.`
    : texts.notTriedAgain
  return `${texts.chargeFailed} ${explainReason(failure.reason)} ${again}`
}
