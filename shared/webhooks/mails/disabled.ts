import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import { DISABLED_REASONS } from '#shared/webhooks/webhook.ts'

const WebhookDisabled = Shape({ url: Type.String(), reason: Type.Enum([...DISABLED_REASONS]) })

/** Informs a store's owner that a webhook was disabled. */
export const webhookDisabledMail = defineMail('webhook-disabled', WebhookDisabled, {
  en: ({ url, reason }, site) => ({
    subject: `A webhook of ${site.name} was switched off`,
    blocks: [
      reason === 'gone'
        ? 'The receiver of a webhook responded that it is gone (410), so it gets no more events.'
        : 'A webhook has failed for five days without a single success, so it gets no more events.',
      { facts: [['URL', url]] },
      'Once the receiver works, switch the webhook on again and redeliver what it missed.',
    ],
  }),
  de: ({ url, reason }, site) => ({
    subject: `Ein Webhook von ${site.name} wurde ausgeschaltet`,
    blocks: [
      reason === 'gone'
        ? 'Der Empfänger eines Webhooks hat geantwortet, dass es ihn nicht mehr gibt (410). Er bekommt keine ' +
          'Ereignisse mehr.'
        : 'Ein Webhook ist fünf Tage lang kein einziges Mal angekommen. Er bekommt keine Ereignisse mehr.',
      { facts: [['URL', url]] },
      'Sobald der Empfänger wieder antwortet, schalten Sie den Webhook ein und senden Sie Versäumtes noch einmal.',
    ],
  }),
})
