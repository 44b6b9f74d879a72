import { type Static, Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import type { Block } from '#shared/mail/letter.ts'
import { formatTime, type Site } from '#shared/mail/site.ts'
import { Nullable, Shape, Timestamp } from '#shared/platform/http/schema.ts'

const PaymentInstructionsChanged = Shape({
  at: Timestamp,
  /** The address of who made the change, or created the API token that made it. */
  changed_by: Type.String(),
  by_api_token: Type.Boolean(),
  payment_method: Type.String(),
  /** The changed texts, by language. A language without a text has none. */
  changes: Type.Array(
    Shape({
      text: Type.Enum(['name', 'instructions']),
      language: Type.String(),
      before: Nullable(Type.String()),
      after: Nullable(Type.String()),
    }),
  ),
  /** How many texts the mail does not show. */
  more: Type.Integer(),
})
type Data = Static<typeof PaymentInstructionsChanged>

const EN = {
  text: { name: 'Name', instructions: 'Instructions' },
  before: 'before',
  after: 'now',
  none: 'no text',
  time: 'Time',
}
const DE: typeof EN = {
  text: { name: 'Name', instructions: 'Hinweise' },
  before: 'bisher',
  after: 'jetzt',
  none: 'kein Text',
  time: 'Zeit',
}

const changesBlock = (words: typeof EN, { at, changes }: Data, site: Site): Block => ({
  facts: [
    ...changes.flatMap(
      ({ text, language, before, after }) =>
        [
          [`${words.text[text]} (${language}), ${words.before}`, before ?? words.none],
          [`${words.text[text]} (${language}), ${words.after}`, after ?? words.none],
        ] as const,
    ),
    [words.time, formatTime(site, at)],
  ],
})

/**
 * Notifies a store's owner that buyers read other texts about a payment, e.g. another bank account. It is mailed to an
 * owner who made the change too, because a thief of a session could have made it.
 */
export const paymentInstructionsChangedMail = defineMail(
  'payment-instructions-changed',
  PaymentInstructionsChanged,
  {
    en: (data, site) => ({
      subject: `The payment instructions of ${site.name} were changed`,
      blocks: [
        `${data.by_api_token ? 'An API token of ' : ''}${data.changed_by} changed what buyers at ${site.name} read ` +
          `about the payment method “${data.payment_method}”.`,
        changesBlock(EN, data, site),
        ...(data.more ? [`And ${data.more} more texts.`] : []),
        'Buyers pay to the account that these texts name. If you did not expect that, set them back ' +
          'immediately, and tell the buyers of the last orders. If it was done in your name, change your password ' +
          'first.',
      ],
    }),
    de: (data, site) => ({
      subject: `Die Zahlungshinweise von ${site.name} wurden geändert`,
      blocks: [
        `${data.by_api_token ? 'Ein API-Token von ' : ''}${data.changed_by} hat geändert, was Käufer bei ` +
          `${site.name} zur Zahlungsart „${data.payment_method}“ lesen.`,
        changesBlock(DE, data, site),
        ...(data.more ? [`Und ${data.more} weitere Texte.`] : []),
        'Käufer zahlen auf das Konto, das dort steht. Haben Sie das nicht erwartet, machen Sie es sofort rückgängig, ' +
          'und sagen Sie es den Käufern der letzten Bestellungen. Geschah es in Ihrem Namen, ändern Sie zuerst Ihr ' +
          'Passwort.',
      ],
    }),
  },
)
