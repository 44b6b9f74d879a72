import { findCustomer } from '#shared/customers/customer.ts'
import { queueMail } from '#shared/mail/queue-mail.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { readStore } from '#shared/stores/store.ts'
import { chargeReminderMail } from '#shared/subscription-mails/mails/reminder.ts'
import { toMailData } from '#shared/subscription-mails/mails/subscription-mail.ts'
import { lockAndSettleCharge } from '#shared/subscriptions/charges/lock-and-settle-charge.ts'
import { previewCharge } from '#shared/subscriptions/charges/next-charge.ts'
import { claimReminder } from '#shared/subscriptions/claim-reminder.ts'
import { loadSubscriptionView } from '#shared/subscriptions/load-subscription-views.ts'

/**
 * Queues the mail that reminds a customer of a subscription's next charge, unless the store has switched it off. Each
 * charge has one reminder, so a repeat changes nothing.
 */
export async function remindSubscriber(tx: StoreTx, subscriptionId: string): Promise<void> {
  const { subscription } = await lockAndSettleCharge(tx, subscriptionId)
  const kind = await claimReminder(tx, subscription)
  const { subscriptionMails, pricesIncludeTax } = await readStore(tx)
  if (!kind || subscriptionMails.reminder === false) return
  const charge = await previewCharge(tx, subscription)
  if (!charge) return
  const { firstname, language, currency, customerId } = subscription
  const { email } = await findCustomer(tx, customerId)
  const view = await loadSubscriptionView(tx, subscription)
  await queueMail(
    tx,
    chargeReminderMail,
    { recordId: subscription.id, email, language },
    {
      ...toMailData(view, { firstname, order: null }),
      ends_trial: kind === 'trial_ends',
      currency,
      prices_include_tax: pricesIncludeTax,
      at: charge.at,
      amount: charge.amount,
    },
    // The mail announces a future charge, so it expires with the charge.
    { expiresAt: new Date(charge.at) },
  )
}
