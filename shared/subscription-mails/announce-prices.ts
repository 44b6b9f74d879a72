import { findCustomer } from '#shared/customers/customer.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { toTimestamp } from '#shared/platform/http/schema.ts'
import { toMajor } from '#shared/platform/money.ts'
import { loadSubscriptionView } from '#shared/subscriptions/load-views.ts'
import {
  type AnnouncedPrice,
  announcePrices as announce,
} from '#shared/subscriptions/prices/announce-prices.ts'
import { priceChangeMail } from './mails/price-change.ts'
import { toMailData } from './mails/subscription-mail.ts'

/** Gives the next batch of a plan's subscriptions its new price, and queues the mails to their customers. */
export async function announcePrices(tx: StoreTx, priceChangeId: string): Promise<void> {
  for (const price of await announce(tx, priceChangeId)) await mailPrice(tx, price)
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
    { email, language },
    {
      ...toMailData(view, { firstname, order: null }),
      currency,
      old_price: toMajor(oldPriceMinor, currency),
      new_price: toMajor(newPriceMinor, currency),
      from: toTimestamp(from),
    },
  )
}
