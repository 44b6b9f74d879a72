import { staffNotSupport } from '#api/platform/auth/access.ts'
import { toDateIfPresent } from '#api/platform/input/request-fields.ts'
import { endpoint } from '#api/platform/pipeline/endpoint.ts'
import { CommonErrors } from '#shared/platform/errors.ts'
import { requestPriceChange } from '#shared/subscriptions/prices/request-price-change.ts'
import { PriceChangeView, viewPriceChange } from '#shared/subscriptions/prices/view.ts'
import { recurringPlanExample } from './examples.ts'
import { ApplyPlanPriceRequest, RecurringPlanParams } from './schemas.ts'

const from = '2026-11-01T00:00:00.000Z'

export const applyPlanPrice = endpoint({
  method: 'post',
  path: '/admin/recurring-plans/:plan_id/apply-price',
  access: staffNotSupport('sales:write'),
  audit: { action: 'postAdminRecurringPlansPlanIdApplyPrice', resource: 'recurring-plans' },
  summary: 'Apply the price of a plan to its running subscriptions',
  description:
    "Running subscriptions get the plan's current price from their first charge at `from` or later. A trial keeps " +
    'its price. Each customer whose price changes is mailed the old and the new price, the date and how to cancel. ' +
    'It replaces a price that was announced before and has not been charged yet. The subscriptions change in the ' +
    'background and show `next_price`.',
  params: RecurringPlanParams,
  body: ApplyPlanPriceRequest,
  returns: [202, PriceChangeView],
  errors: [CommonErrors.notFound],
  example: {
    body: {},
    data: {
      recurring_plan_id: recurringPlanExample.id,
      unit_price: recurringPlanExample.price,
      from,
      subscriptions: 128,
    },
  },
  async handle({ tx, store, params, body }) {
    const requested = await requestPriceChange(tx, params.plan_id, toDateIfPresent(body.from) ?? undefined)
    return viewPriceChange(requested, store.currency)
  },
})
