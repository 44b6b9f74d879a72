import { type Static, Type } from 'typebox'
import { Nullable, Shape, Timestamp, toTimestamp, Uuid } from '../platform/schema.ts'
import type { Customer } from './customer.ts'

export const customerProperties = {
  id: Uuid,
  email: Type.String(),
  firstname: Type.String(),
  lastname: Type.String(),
  telephone: Nullable(Type.String()),
  accepts_marketing: Type.Boolean(),
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
  is_active: customer.isActive,
  created_at: toTimestamp(customer.createdAt),
  updated_at: toTimestamp(customer.updatedAt),
})
