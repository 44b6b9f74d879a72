import { type Static, Type } from 'typebox'
import {
  Nullable,
  Shape,
  Timestamp,
  toTimestamp,
  toTimestampOrNull,
  Uuid,
} from '#shared/platform/http/schema.ts'
import type { Customer } from './customer.ts'

export const customerProperties = {
  id: Uuid,
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Nullable(Type.String()),
  accepts_marketing: Type.Boolean(),
  language: Nullable(Type.String({ description: "BCP 47; null: the store's default" })),
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
  telephone: customer.telephone,
  accepts_marketing: customer.acceptsMarketing,
  language: customer.language,
  verified_at: toTimestampOrNull(customer.verifiedAt),
  is_active: customer.isActive,
  created_at: toTimestamp(customer.createdAt),
  updated_at: toTimestamp(customer.updatedAt),
})
