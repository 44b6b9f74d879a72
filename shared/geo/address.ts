import { type Static, Type } from 'typebox'
import { Shape } from '#shared/platform/http/schema.ts'

/** A shipping or billing address, as it is stored and as responses show it. */
export const AddressView = Shape({
  firstname: Type.String(),
  lastname: Type.String(),
  company: Type.Optional(Type.String()),
  address_1: Type.String(),
  address_2: Type.Optional(Type.String()),
  city: Type.String(),
  postcode: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2' }),
  zone: Type.Optional(Type.String({ description: 'ISO 3166-2' })),
  telephone: Type.Optional(Type.String()),
})
export type PostalAddress = Static<typeof AddressView>
