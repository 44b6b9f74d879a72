import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const Asked = Shape({ product: Type.String(), author: Type.String(), question: Type.String() })

/** Notifies the store of a new question. */
export const questionAskedMail = defineMail('question-asked', Asked, {
  en: ({ product, author, question }, site) => ({
    subject: `${site.name}: a question about ${product}`,
    blocks: [
      'Somebody asked about a product. The question is shown once you approve it.',
      facts(['Product', product], ['From', author], ['Question', question]),
    ],
  }),
  de: ({ product, author, question }, site) => ({
    subject: `${site.name}: eine Frage zu ${product}`,
    blocks: [
      'Zu einem Produkt wurde eine Frage gestellt. Sie erscheint, sobald Sie sie freigeben.',
      facts(['Produkt', product], ['Von', author], ['Frage', question]),
    ],
  }),
})

const facts = (...named: [string, string][]) => ({ facts: named })
