import { type Static, Type } from 'typebox'
import { countryNames } from '#shared/geo/countries.ts'
import { defineMail, type MailLanguage } from '#shared/mail/define-mail.ts'
import { greeting } from '#shared/mail/greeting.ts'
import { Nullable, Shape } from '#shared/platform/http/schema.ts'
import { orderButton } from './blocks.ts'

const AddressChanged = Shape({
  order_id: Type.String(),
  access_token: Nullable(Type.String()),
  number: Type.String(),
  firstname: Type.String(),
  postcode: Type.String(),
  city: Type.String(),
  country: Type.String(),
})

/**
 * Notifies a buyer that the store changed the shipping address of a paid order. The mail omits the street, which would
 * identify the recipient.
 */
export const addressChangedMail = defineMail('order-address-changed', AddressChanged, {
  en: (order, site) => ({
    subject: `The shipping address of your order ${order.number} at ${site.name} has changed`,
    blocks: [
      greeting('en', order),
      `${site.name} has changed the shipping address of your order ${order.number}. The order now goes to this place:`,
      { facts: [['Shipping address', placeOf('en', order)]] },
      ...orderButton('en', order, site),
      'If you did not ask for this change, reply to this mail immediately.',
    ],
  }),
  de: (order, site) => ({
    subject: `Die Lieferadresse Ihrer Bestellung ${order.number} bei ${site.name} hat sich geändert`,
    blocks: [
      greeting('de', order),
      `${site.name} hat die Lieferadresse Ihrer Bestellung ${order.number} geändert. Die Bestellung geht jetzt an ` +
        'diesen Ort:',
      { facts: [['Lieferadresse', placeOf('de', order)]] },
      ...orderButton('de', order, site),
      'Haben Sie nicht um diese Änderung gebeten, antworten Sie sofort auf diese E-Mail.',
    ],
  }),
})

const placeOf = (
  language: MailLanguage,
  { postcode, city, country }: Static<typeof AddressChanged>,
): string => [`${postcode} ${city}`, countryNames(language).get(country) ?? country].join('\n')
