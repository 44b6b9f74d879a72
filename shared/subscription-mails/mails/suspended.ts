import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import {
  failedOrderBlocks,
  failureFacts,
  payButton,
  subscriptionButton,
  subscriptionFacts,
} from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

/**
 * Notifies a customer that a subscription is suspended after the last failed charge, and explains how to continue it.
 */
export const subscriptionSuspendedMail = defineMail('subscription-suspended', SubscriptionMailData, {
  en: (data, site) => ({
    subject: `Your subscription “${data.plan_name}” at ${site.name} is suspended`,
    blocks: [
      greeting('en', data),
      'the last attempt to charge your subscription failed. We charge and send nothing more for now.',
      ...failureFacts('en', data),
      ...(data.failure?.order
        ? ['It continues when you pay the open order or give another card.']
        : ['It continues when you resume it on its page. Answer this mail if that fails.']),
      ...payButton('en', data, site),
      ...subscriptionButton('en', data, site),
      subscriptionFacts('en', data, site),
      ...failedOrderBlocks('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: `Ihr Abonnement „${data.plan_name}“ bei ${site.name} ist ausgesetzt`,
    blocks: [
      greeting('de', data),
      'der letzte Versuch einer Abbuchung zu Ihrem Abonnement ist fehlgeschlagen. Wir buchen vorerst nichts mehr ab ' +
        'und liefern nichts mehr.',
      ...failureFacts('de', data),
      ...(data.failure?.order
        ? ['Es läuft weiter, sobald Sie die offene Bestellung bezahlen oder eine andere Karte angeben.']
        : [
            'Es läuft weiter, sobald Sie es auf seiner Seite fortsetzen. Gelingt das nicht, antworten Sie auf diese ' +
              'E-Mail.',
          ]),
      ...payButton('de', data, site),
      ...subscriptionButton('de', data, site),
      subscriptionFacts('de', data, site),
      ...failedOrderBlocks('de', data, site),
    ],
  }),
})
