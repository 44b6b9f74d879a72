import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'
import type { Discrepancy } from '#shared/reconciliation/invariant.ts'

const BooksDiffer = Shape({
  count: Type.Integer(),
  differences: Type.Array(
    Shape({
      invariant: Type.String(),
      subject: Type.String(),
      expected: Type.String(),
      found: Type.String(),
    }),
  ),
})

/** The mail shows this many differences. `npm run reconcile` shows all. */
const SHOWN = 20

export const toBooksDiffer = (discrepancies: readonly Discrepancy[]) => ({
  count: discrepancies.length,
  differences: discrepancies
    .slice(0, SHOWN)
    .map(({ invariant, subject, expected, found }) => ({ invariant, subject, expected, found })),
})

/** Informs a store's owner of differences between its books. */
export const booksDifferMail = defineMail('books-differ', BooksDiffer, {
  en: ({ count, differences }, site) => ({
    subject: `The books of ${site.name} differ`,
    blocks: [
      `The nightly comparison of orders, payments, refunds, gift vouchers and stock has found differences: ${count}.`,
      {
        facts: differences.map(({ invariant, subject, expected, found }) => [
          `${invariant}: ${subject}`,
          `expected ${expected}, found ${found}`,
        ]),
      },
      'Nothing was changed. Please show this mail to the operator of the service.',
    ],
  }),
  de: ({ count, differences }, site) => ({
    subject: `Die Bücher von ${site.name} weichen voneinander ab`,
    blocks: [
      'Der nächtliche Vergleich von Bestellungen, Zahlungen, Erstattungen, Gutscheinen und Bestand hat Abweichungen ' +
        `gefunden: ${count}.`,
      {
        facts: differences.map(({ invariant, subject, expected, found }) => [
          `${invariant}: ${subject}`,
          `erwartet ${expected}, gefunden ${found}`,
        ]),
      },
      'Es wurde nichts geändert. Bitte zeigen Sie diese Mail denen, die den Dienst betreiben.',
    ],
  }),
})
