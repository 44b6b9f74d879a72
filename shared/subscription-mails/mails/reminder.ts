import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { formatDate } from '#shared/mail/site.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { amountBlocks, ChargeAmount, totalText } from './amount-blocks.ts'
import { cancelBlocks, subscriptionFacts } from './blocks.ts'
import { SubscriptionMailData } from './subscription-mail.ts'

const Reminder = Shape({
  ...SubscriptionMailData.properties,
  ...ChargeAmount,
  ends_trial: Type.Boolean(),
  at: Type.String(),
})

/** Reminds a customer of a yearly charge, or of the first one after a free trial. */
export const chargeReminderMail = defineMail('subscription-reminder', Reminder, {
  en: (data, site) => ({
    subject: data.ends_trial
      ? `The free trial of “${data.plan_name}” at ${site.name} ends on ${formatDate(site, data.at)}`
      : `Your subscription “${data.plan_name}” at ${site.name} is charged on ${formatDate(site, data.at)}`,
    blocks: [
      greeting('en', data),
      ...(data.ends_trial ? [`your free trial ends on ${formatDate(site, data.at)}.`] : []),
      `We charge your subscription on ${formatDate(site, data.at)}${totalText(data, site)}.`,
      ...amountBlocks('en', data, site),
      ...cancelBlocks('en', data, site, formatDate(site, data.at)),
      subscriptionFacts('en', data, site),
    ],
  }),
  de: (data, site) => ({
    subject: data.ends_trial
      ? `Ihr kostenloser Probezeitraum „${data.plan_name}“ bei ${site.name} endet am ${formatDate(site, data.at)}`
      : `Ihr Abonnement „${data.plan_name}“ bei ${site.name} wird am ${formatDate(site, data.at)} abgebucht`,
    blocks: [
      greeting('de', data),
      ...(data.ends_trial ? [`Ihr kostenloser Probezeitraum endet am ${formatDate(site, data.at)}.`] : []),
      `Wir buchen Ihr Abonnement am ${formatDate(site, data.at)} ab${totalText(data, site)}.`,
      ...amountBlocks('de', data, site),
      ...cancelBlocks('de', data, site, formatDate(site, data.at)),
      subscriptionFacts('de', data, site),
    ],
  }),
})
