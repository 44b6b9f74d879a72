import { Type } from 'typebox'
import { Country, ZoneCode } from '#api/geo/schemas.ts'
import {
  Changes,
  Clearable,
  Line,
  Name,
  Omittable,
  Shape,
  Telephone,
  Uuid,
} from '#shared/platform/http/schema.ts'

const required = {
  firstname: Name(100),
  lastname: Name(100),
  address_1: Line(200),
  city: Line(100),
  postcode: Line(20),
  country: Country,
}
const optional = { company: Name(200), address_2: Line(200), zone: ZoneCode, telephone: Telephone }

const addressFields = {
  ...required,
  company: Omittable(optional.company),
  address_2: Omittable(optional.address_2),
  zone: Omittable(optional.zone),
  telephone: Omittable(optional.telephone),
}

/** A shipping or billing address of a checkout. */
export const AddressRequest = Shape(addressFields)

const IsDefault = Type.Boolean({ description: 'True makes this the default instead of another address' })

const defaults = {
  is_default_shipping: Type.Optional(IsDefault),
  is_default_billing: Type.Optional(IsDefault),
}

export const CreateAddressRequest = Shape({ ...addressFields, ...defaults })

export const UpdateAddressRequest = Changes({
  ...required,
  company: Clearable(optional.company),
  address_2: Clearable(optional.address_2),
  zone: Clearable(optional.zone),
  telephone: Clearable(optional.telephone),
  ...defaults,
})

export const AddressParams = Shape({ id: Uuid })
