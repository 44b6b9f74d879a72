import { type Static, Type } from 'typebox'
import { Metadata } from '#shared/platform/http/metadata.ts'
import { toText, toTimestamp, toTimestampOrNull } from '#shared/platform/http/response-values.ts'
import { Money, MoneyDifference, Nullable, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import { proportion, toMajor } from '#shared/platform/money.ts'
import type { Customer } from './customer.ts'

export const adminCustomerProperties = {
  id: Uuid,
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Type.String(),
  language: Type.String({ description: "BCP 47; empty: the store's default" }),
  customer_group_id: Uuid,
  is_active: Type.Boolean(),
  email_verified_at: Nullable(Timestamp),
  accepts_marketing: Type.Boolean(),
  tax_exempt: Type.Boolean({ description: 'In addition to the exemption of the group' }),
  tax_number: Type.String(),
  note: Type.String({ description: 'For the staff alone' }),
  metadata: Metadata,
  orders_count: Type.Integer({
    description: 'Orders that were paid, or are processing, shipped or complete',
  }),
  total_spent: { ...Money, description: 'Of these orders, net of refunds, in major units' },
  average_order: { ...MoneyDifference, description: '`total_spent` divided by `orders_count`' },
  last_order_at: Nullable(Timestamp),
  anonymized_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

/** A customer as staff see it. */
export const AdminCustomerView = Shape(adminCustomerProperties)

export function viewAdminCustomer(customer: Customer, currency: string): Static<typeof AdminCustomerView> {
  const { ordersCount, totalSpentMinor } = customer
  const averageMinor = ordersCount === 0 ? 0n : proportion(totalSpentMinor, 1n, BigInt(ordersCount))
  return {
    id: customer.id,
    email: customer.email,
    firstname: customer.firstname,
    lastname: customer.lastname,
    telephone: toText(customer.telephone),
    language: toText(customer.language),
    customer_group_id: customer.customerGroupId,
    is_active: customer.isActive,
    email_verified_at: toTimestampOrNull(customer.verifiedAt),
    accepts_marketing: customer.acceptsMarketing,
    tax_exempt: customer.taxExempt,
    tax_number: toText(customer.taxNumber),
    note: toText(customer.note),
    metadata: customer.metadata,
    orders_count: ordersCount,
    total_spent: toMajor(totalSpentMinor, currency),
    average_order: toMajor(averageMinor, currency),
    last_order_at: toTimestampOrNull(customer.lastOrderAt),
    anonymized_at: toTimestampOrNull(customer.anonymizedAt),
    created_at: toTimestamp(customer.createdAt),
    updated_at: toTimestamp(customer.updatedAt),
  }
}
