import { defineMail } from '#shared/mail/define-mail.ts'
import { Decision, factsOf, messageOf } from './decision.ts'

/** Notifies a buyer of a rejected return, with the reason. */
export const returnRejectedMail = defineMail('return-rejected', Decision, {
  en: (decision, site) => ({
    subject: `Your return ${decision.number} to ${site.name} was not accepted`,
    blocks: [
      'We could not accept this return, so please keep the goods.',
      factsOf(decision, { number: 'Return', order: 'Order', goods: 'Goods' }),
      ...messageOf(decision),
      'If you think that this is a mistake, answer this mail.',
    ],
  }),
  de: (decision, site) => ({
    subject: `Ihre Rücksendung ${decision.number} an ${site.name} wurde nicht angenommen`,
    blocks: [
      'Wir konnten diese Rücksendung nicht annehmen. Bitte behalten Sie die Ware.',
      factsOf(decision, { number: 'Rücksendung', order: 'Bestellung', goods: 'Ware' }),
      ...messageOf(decision),
      'Halten Sie das für einen Irrtum, antworten Sie einfach auf diese Mail.',
    ],
  }),
})
