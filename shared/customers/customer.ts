import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import {
  Nullable,
  Shape,
  Timestamp,
  toText,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'

/** An account of a buyer in a store. Without a password hash, it signs in by an identity provider or a reset link. */
export class Customer extends StoreModel {
  static override tableName = 'customers'
  static override jsonAttributes = ['metadata']

  declare email: string
  /** The form in which addresses are compared; unique in the store. */
  declare emailNormalized: string
  declare passwordHash: string | null
  declare firstname: string
  declare lastname: string
  declare telephone: string | null
  declare acceptsMarketing: boolean
  /** BCP 47: what the customer's mails are written in; null for the store's default. */
  declare language: string | null
  /** When the address was proven to be the customer's. */
  declare verifiedAt: Date | null
  declare isActive: boolean
  declare customerGroupId: string
  /** The group can exempt them too. */
  declare taxExempt: boolean
  declare taxNumber: string | null
  /** The staff's own remarks, which the customer does not see. */
  declare note: string | null
  declare metadata: Metadata
  /** Orders that were paid, or are processing or further. A change of the figures changes `updatedAt`, too. */
  declare ordersCount: number
  /** The total of these orders net of refunds, in minor units of the store's currency. */
  declare totalSpentMinor: bigint
  declare lastOrderAt: Date | null
  /** When all personal data was erased; the row stays for the orders. */
  declare anonymizedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** A customer of the store; 404 `resource.not_found` when it has none with that id. */
export const findCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  assertFound(await Customer.in(tx).findById(id))

/** As `findCustomer`, and locks the customer, so that changes run one after another. */
export const lockCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  assertFound(await Customer.in(tx).findById(id).forNoKeyUpdate())

function assertFound(customer: Customer | undefined): Customer {
  if (!customer) throw CommonErrors.notFound()
  return customer
}

export const customerProperties = {
  id: Uuid,
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Type.String(),
  accepts_marketing: Type.Boolean(),
  language: Type.String({ description: "BCP 47; empty: the store's default" }),
  verified_at: Nullable(Timestamp),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const CustomerView = Shape(customerProperties)

export const viewCustomer = (customer: Customer): Static<typeof CustomerView> => ({
  id: customer.id,
  email: customer.email,
  firstname: customer.firstname,
  lastname: customer.lastname,
  telephone: toText(customer.telephone),
  accepts_marketing: customer.acceptsMarketing,
  language: toText(customer.language),
  verified_at: toTimestampOrNull(customer.verifiedAt),
  is_active: customer.isActive,
  created_at: toTimestamp(customer.createdAt),
  updated_at: toTimestamp(customer.updatedAt),
})

/** A customer in events, which the store's own systems read. */
export const CustomerEventView = Shape({ ...customerProperties, metadata: Metadata })

export const viewCustomerEvent = (customer: Customer): Static<typeof CustomerEventView> => ({
  ...viewCustomer(customer),
  metadata: customer.metadata,
})
