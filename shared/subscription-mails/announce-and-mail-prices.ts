import { findCustomer } from '#shared/customers/customer.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { toMajor } from '#shared/platform/money.ts'
import { priceChangeMail } from '#shared/subscription-mails/mails/price-change.ts'
import { toMailData } from '#shared/subscription-mails/mails/subscription-mail.ts'
import { loadSubscriptionView } from '#shared/subscriptions/load-subscription-views.ts'
import { type AnnouncedPrice, announcePrices } from '#shared/subscriptions/prices/announce-prices.ts'

/** Announces a plan's new price to the next batch of its subscriptions, and queues the mails to the customers. */
export async function announceAndMailPrices(tx: StoreTx, priceChangeId: string): Promise<void> {
  for (const price of await announcePrices(tx, priceChangeId)) await mailPrice(tx, price)
}

async function mailPrice(
  tx: StoreTx,
  { subscription, oldPriceMinor, newPriceMinor, from }: AnnouncedPrice,
): Promise<void> {
  const { firstname, language, currency, customerId } = subscription
  const { email } = await findCustomer(tx, customerId)
  const view = await loadSubscriptionView(tx, subscription)
  await queueMail(
    tx,
    priceChangeMail,
    { recordId: subscription.id, email, language },
    {
      ...toMailData(view, { firstname, order: null }),
      currency,
      old_price: toMajor(oldPriceMinor, currency),
      new_price: toMajor(newPriceMinor, currency),
      from: toTimestamp(from),
    },
  )
}
