import { Type } from 'typebox'
import { listQuery } from '#api/platform/input/list-query.ts'
import { CUSTOMERS } from '#shared/customers/list-customers.ts'
import { MetadataChange } from '#shared/platform/http/metadata.ts'
import {
  Changes,
  Clearable,
  Email,
  I18nLine,
  I18nText,
  Line,
  Name,
  Shape,
  Telephone,
  Uuid,
} from '#shared/platform/http/schema.ts'

export const CustomerParams = Shape({ id: Uuid })
export const CustomerGroupParams = Shape({ id: Uuid })

const Time = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** An export of all records of a customer may be too large for one response. */
export const CustomerExportQuery = Shape({
  created_from: Time(
    'Only orders (with their notes, payments, refunds and returns), subscriptions, gift vouchers, questions, ' +
      "security events and entries of affiliates' ledgers created at this time or later",
  ),
  created_to: Time('Only those created before this time'),
})

export const CustomerListQuery = listQuery(CUSTOMERS)

const PersonName = Name(100)

const customerFields = {
  email: Email,
  firstname: PersonName,
  lastname: PersonName,
  telephone: Type.Optional(Clearable(Telephone)),
  language: Type.Optional(
    Clearable({ ...Line(35), description: "A language of the store. Empty: the store's default language" }),
  ),
  customer_group_id: Type.Optional(Uuid),
  is_active: Type.Optional(Type.Boolean()),
  accepts_marketing: Type.Optional(Type.Boolean()),
  tax_exempt: Type.Optional(Type.Boolean()),
  tax_number: Type.Optional(Clearable(Line(50))),
  note: Type.Optional(Clearable(Type.String({ maxLength: 5_000 }))),
  metadata: Type.Optional(MetadataChange),
}

export const CreateCustomerRequest = Shape({
  ...customerFields,
  send_invitation: Type.Boolean({ default: false, description: 'Mail a link to choose a password' }),
})

export const UpdateCustomerRequest = Changes(customerFields)

const group = {
  description_i18n: Type.Optional(I18nText(10_000)),
  is_default: Type.Optional(
    Type.Boolean({ description: 'True makes this the default group in place of the former one' }),
  ),
  tax_exempt: Type.Optional(Type.Boolean()),
  sort_order: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
}

export const CreateCustomerGroupRequest = Shape({ name_i18n: I18nLine(), ...group })

export const UpdateCustomerGroupRequest = Changes(CreateCustomerGroupRequest.properties)

export const DeleteGroupQuery = Shape({
  move_to: Type.Optional({ ...Uuid, description: 'The group that its customers move to' }),
})
