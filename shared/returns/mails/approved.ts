import { defineMail } from '#shared/mail/define-mail.ts'
import { Decision, factsOf, messageOf } from './decision.ts'

/** Notifies a buyer of an approved return, with instructions to send the goods. */
export const returnApprovedMail = defineMail('return-approved', Decision, {
  en: (decision, site) => ({
    subject: `Your return ${decision.number} to ${site.name} is approved`,
    blocks: [
      'Your return is approved: please send us these goods.',
      factsOf(decision, { number: 'Return', order: 'Order', goods: 'Goods' }),
      ...messageOf(decision),
      'Put the return number into the parcel, so that we know whose goods they are.',
    ],
  }),
  de: (decision, site) => ({
    subject: `Ihre Rücksendung ${decision.number} an ${site.name} ist angenommen`,
    blocks: [
      'Ihre Rücksendung ist angenommen: Bitte schicken Sie uns diese Ware.',
      factsOf(decision, { number: 'Rücksendung', order: 'Bestellung', goods: 'Ware' }),
      ...messageOf(decision),
      'Legen Sie die Nummer der Rücksendung bei, damit wir die Ware zuordnen können.',
    ],
  }),
})
