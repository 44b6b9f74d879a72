import { CAMPAIGN_FACTS } from './campaign-facts.ts'
import { COUPON_FACTS } from './coupon-facts.ts'
import { CUSTOMER_REFUND_FACTS, RETURNING_FACTS } from './customer-facts.ts'
import type { Fact } from './fact.ts'
import { PRODUCT_FACTS } from './product-facts.ts'
import { RETURN_FACTS } from './return-facts.ts'
import { SALES_FACTS } from './sales-facts.ts'
import { TAX_FACTS } from './tax-facts.ts'

/** All facts that the worker stores. */
export const FACTS: readonly Fact[] = [
  SALES_FACTS,
  PRODUCT_FACTS,
  TAX_FACTS,
  RETURNING_FACTS,
  CUSTOMER_REFUND_FACTS,
  RETURN_FACTS,
  COUPON_FACTS,
  CAMPAIGN_FACTS,
]
