import { type Static, Type } from 'typebox'
import { toTimestamp } from '#shared/platform/http/response-values.ts'
import { I18nText, Shape, Timestamp, Uuid } from '#shared/platform/http/schema.ts'
import type { CountedGroup } from './list-customer-groups.ts'

export const CustomerGroupView = Shape({
  id: Uuid,
  name_i18n: I18nText(255),
  description_i18n: I18nText(10_000),
  is_default: Type.Boolean({ description: 'New customers enter this group' }),
  tax_exempt: Type.Boolean({ description: 'Its customers pay no tax' }),
  sort_order: Type.Integer(),
  customers_count: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export const viewCustomerGroup = ({
  group,
  customersCount,
}: CountedGroup): Static<typeof CustomerGroupView> => ({
  id: group.id,
  name_i18n: group.nameI18n,
  description_i18n: group.descriptionI18n,
  is_default: group.isDefault,
  tax_exempt: group.taxExempt,
  sort_order: group.sortOrder,
  customers_count: customersCount,
  created_at: toTimestamp(group.createdAt),
  updated_at: toTimestamp(group.updatedAt),
})
