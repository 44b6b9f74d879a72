import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { formatDate, type Site } from '#shared/mail/site.ts'
import {
  failedOrderBlocks,
  failureFacts,
  payButton,
  subscriptionButton,
  subscriptionFacts,
} from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

const retryDate = ({ failure }: SubscriptionMailData, site: Site): string =>
  failure?.next_attempt_at ? formatDate(site, failure.next_attempt_at) : ''

/** Notifies a customer of a failed charge: its reason, the next attempt, and a link to pay its order until then. */
export const chargeFailedMail = defineMail('subscription-payment-failed', SubscriptionMailData, {
  en: (data, site) => ({
    subject: `A charge of your subscription “${data.plan_name}” at ${site.name} failed`,
    blocks: [
      greeting('en', data),
      'a charge of your subscription failed. Nothing was charged.',
      ...failureFacts('en', data),
      data.failure?.order
        ? `We try again on ${retryDate(data, site)}. Until then, you can pay the order yourself or add another card.`
        : `We try again on ${retryDate(data, site)}. No order is placed until then.`,
      ...payButton('en', data, site),
      ...subscriptionButton('en', data, site),
      subscriptionFacts('en', data, site),
      ...failedOrderBlocks('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: `Abbuchung zu Ihrem Abonnement „${data.plan_name}“ bei ${site.name} fehlgeschlagen`,
    blocks: [
      greeting('de', data),
      'eine Abbuchung zu Ihrem Abonnement ist fehlgeschlagen. Es wurde nichts abgebucht.',
      ...failureFacts('de', data),
      data.failure?.order
        ? `Wir versuchen es am ${retryDate(data, site)} noch einmal. Sie können die Bestellung vorher selbst ` +
          'bezahlen oder eine andere Karte angeben.'
        : `Wir versuchen es am ${retryDate(data, site)} noch einmal. Bis dahin wird keine Bestellung aufgegeben.`,
      ...payButton('de', data, site),
      ...subscriptionButton('de', data, site),
      subscriptionFacts('de', data, site),
      ...failedOrderBlocks('de', data, site),
    ],
  }),
})
