import { Type } from 'typebox'
import { defineMail } from '#shared/mail/define-mail.ts'
import { Shape } from '#shared/platform/http/schema.ts'

const Answered = Shape({
  product: Type.String(),
  author: Type.String(),
  question: Type.String(),
  answer: Type.String(),
})

/** Sends the answer to the author of the question. */
export const questionAnsweredMail = defineMail('question-answered', Answered, {
  en: ({ product, author, question, answer }, site) => ({
    subject: `${site.name}: your question about ${product}`,
    blocks: [
      `Hello ${author},`,
      `you asked about ${product}. Here is the answer.`,
      facts(['Your question', question], ['Our answer', answer]),
    ],
  }),
  de: ({ product, author, question, answer }, site) => ({
    subject: `${site.name}: Ihre Frage zu ${product}`,
    blocks: [
      `Guten Tag ${author},`,
      `Sie haben nach ${product} gefragt. Hier ist die Antwort.`,
      facts(['Ihre Frage', question], ['Unsere Antwort', answer]),
    ],
  }),
})

const facts = (...named: [string, string][]) => ({ facts: named })
