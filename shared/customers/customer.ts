import { type Static, Type } from 'typebox'
import { StoreModel } from '#shared/platform/db/model.ts'
import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { assertFound } from '#shared/platform/errors.ts'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'

/** An account of a buyer in a store. Without a password hash, it signs in by an identity provider or a reset link. */
export class Customer extends StoreModel {
  static override tableName = 'customers'
  static override jsonAttributes = ['metadata']

  declare email: string
  /** The normalized address, unique in the store. */
  declare emailNormalized: string
  declare passwordHash: string | null
  declare firstname: string
  declare lastname: string
  declare telephone: string | null
  declare acceptsMarketing: boolean
  /** The language of the customer's mails (BCP 47); null for the store's default. */
  declare language: string | null
  /** The time at which the customer proved the address. */
  declare verifiedAt: Date | null
  /** The time of the account's first proof of an address. A change of the address keeps it. */
  declare firstVerifiedAt: Date | null
  declare isActive: boolean
  declare customerGroupId: string
  /** Whether the customer pays no tax. The group can exempt them too. */
  declare taxExempt: boolean
  declare taxNumber: string | null
  /** A note of staff. The customer does not see it. */
  declare note: string | null
  declare metadata: Metadata
  /** The number of orders that were paid, or are processing, shipped or complete. A change also sets `updatedAt`. */
  declare ordersCount: number
  /** The total of these orders net of refunds, in minor units of the store's currency. */
  declare totalSpentMinor: bigint
  declare lastOrderAt: Date | null
  /** The time at which all personal data was erased. The row stays for the orders. */
  declare anonymizedAt: Date | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** SQL: whether a customer is active. `customerId` is an expression of type uuid. */
export const isActiveSql = (customerId: string): string => `
  exists (select from customers where store_id = ${CURRENT_STORE} and id = ${customerId} and is_active)`

/** Whether a person may have signed in to the account. Second factors and provider links need one of the two. */
export const isClaimed = ({ passwordHash, firstVerifiedAt }: Customer): boolean =>
  passwordHash !== null || firstVerifiedAt !== null

/** Returns a customer of the store. Throws `resource.not_found` if there is none with that id. */
export const findCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  assertFound(await Customer.in(tx).findById(id))

/** Finds and locks a customer, so that changes run one after another. Throws like `findCustomer`. */
export const lockCustomer = async (tx: StoreTx, id: string): Promise<Customer> =>
  assertFound(await Customer.in(tx).findById(id).forNoKeyUpdate())

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
