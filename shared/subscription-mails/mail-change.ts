import { isDeepStrictEqual } from 'node:util'
import { findCustomer } from '#shared/customers/customer.ts'
import { queueMailByCustomer, queueMailByStaff } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toMajor } from '#shared/platform/money.ts'
import { pickText } from '#shared/platform/text.ts'
import { ShippingMethod } from '#shared/shipping-methods/shipping-method.ts'
import { readStore } from '#shared/stores/store.ts'
import { subscriptionChangedMail } from '#shared/subscription-mails/mails/changed.ts'
import { toMailData } from '#shared/subscription-mails/mails/subscription-mail.ts'
import type { MailedTerms } from '#shared/subscription-mails/mails/terms.ts'
import type { SubscriptionChange } from '#shared/subscriptions/changes/subscription-change.ts'
import { previewCharge } from '#shared/subscriptions/charges/next-charge.ts'
import { loadSubscriptionView } from '#shared/subscriptions/load-subscription-views.ts'
import type { Subscription } from '#shared/subscriptions/subscription.ts'
import type { SubscriptionView } from '#shared/subscriptions/view.ts'

/**
 * Queues the mail to the customer about a change by staff or by the customer: the changed terms, the next charge and
 * how to cancel. The store cannot switch it off. If nothing differs, there is no mail.
 */
export async function mailChange(
  tx: StoreTx,
  { before, after }: SubscriptionChange,
  by: 'staff' | 'customer',
): Promise<void> {
  const { pricesIncludeTax, defaultLanguage } = await readStore(tx)
  const oldTerms = await termsOf(tx, before, defaultLanguage)
  const newTerms = await termsOf(tx, after, defaultLanguage)
  const isContinued = isEndOfPause({ before, after }) || isWithdrawal({ before, after })
  if (!isContinued && isDeepStrictEqual(oldTerms, newTerms)) return
  const { id, firstname, language, currency, customerId } = after
  const { email } = await findCustomer(tx, customerId)
  const view = await loadSubscriptionView(tx, after)
  const queue = by === 'staff' ? queueMailByStaff : queueMailByCustomer
  await queue(
    tx,
    subscriptionChangedMail,
    { recordId: id, email, language },
    {
      ...toMailData(view, { firstname, order: null }),
      before: oldTerms,
      after: newTerms,
      is_continued: isContinued,
      is_own_change: by === 'customer',
      currency,
      prices_include_tax: pricesIncludeTax,
      ...(await nextChargeOf(tx, after, view)),
    },
  )
}

const isEndOfPause = ({ before, after }: SubscriptionChange): boolean =>
  before.status === 'paused' && after.status !== 'paused'

/** Whether a cancellation was withdrawn. */
const isWithdrawal = ({ before, after }: SubscriptionChange): boolean =>
  before.cancelsAtPeriodEnd && !after.cancelsAtPeriodEnd

async function termsOf(
  tx: StoreTx,
  subscription: Subscription,
  defaultLanguage: string,
): Promise<MailedTerms> {
  const { terms, unitPriceMinor, currency, language, firstname, lastname } = subscription
  return {
    plan_name: pickText(terms.nameI18n, language, defaultLanguage),
    unit_price: toMajor(unitPriceMinor, currency),
    quantity: subscription.quantity,
    duration: terms.duration,
    duration_unit: terms.durationUnit,
    charges_left: subscription.chargesLeft,
    recipient: `${firstname} ${lastname}`,
    telephone: subscription.telephone,
    shipping_address: subscription.shippingAddress,
    billing_address: subscription.billingAddress,
    shipping_method: await shippingMethodName(tx, subscription, defaultLanguage),
  }
}

/** Returns the name of the shipping method; empty if it was deleted. */
async function shippingMethodName(
  tx: StoreTx,
  { shippingMethodId, language }: Subscription,
  defaultLanguage: string,
): Promise<string> {
  const method = shippingMethodId ? await ShippingMethod.in(tx).findById(shippingMethodId) : undefined
  return method ? pickText(method.nameI18n, language, defaultLanguage) : ''
}

/**
 * Returns the date and amount of the next charge. A failed charge that has an order is tried again at the amount of the
 * order, not at that of the new terms. A failed charge without one is ordered at the new terms.
 */
async function nextChargeOf(tx: StoreTx, subscription: Subscription, { failed_charge }: SubscriptionView) {
  if (failed_charge?.order_id) return { at: failed_charge.next_attempt_at, amount: null }
  const charge = await previewCharge(tx, subscription)
  const at = failed_charge ? failed_charge.next_attempt_at : charge?.at
  return { at: at ?? null, amount: charge?.amount ?? null }
}
