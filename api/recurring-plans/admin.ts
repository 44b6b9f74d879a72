import { staff, staffNotSupport } from '#api/platform/auth/access.ts'
import { hasAnyField } from '#api/platform/auth/has-any-field.ts'
import { Resource } from '#api/platform/pipeline/resource.ts'
import { assertProducts } from '#shared/catalog/products/check-references.ts'
import { entityTag } from '#shared/platform/http/entity-tag.ts'
import { createRecurringPlan as create } from '#shared/recurring-plans/create-recurring-plan.ts'
import { deleteRecurringPlan as remove } from '#shared/recurring-plans/delete-recurring-plan.ts'
import { RecurringPlanErrors } from '#shared/recurring-plans/errors.ts'
import { listRecurringPlans as list } from '#shared/recurring-plans/list-recurring-plans.ts'
import { findRecurringPlan, type RecurringPlanWithProducts } from '#shared/recurring-plans/recurring-plan.ts'
import { updateRecurringPlan as update } from '#shared/recurring-plans/update-recurring-plan.ts'
import { RecurringPlanView, viewRecurringPlan } from '#shared/recurring-plans/view.ts'
import { assertMay, type RightsHolder } from '#shared/staff/rights.ts'
import type { Store } from '#shared/stores/store.ts'
import { recurringPlanExample as example, newRecurringPlanExample } from './examples.ts'
import { toNewPlan, toPlanChanges } from './read-request.ts'
import {
  CreateRecurringPlanRequest,
  RecurringPlanListQuery,
  RecurringPlanParams,
  UpdateRecurringPlanRequest,
} from './schemas.ts'

const plans = new Resource({
  path: '/admin/recurring-plans',
  audit: {
    resource: 'recurring-plans',
    create: 'postAdminRecurringPlans',
    update: 'patchAdminRecurringPlansPlanId',
    delete: 'deleteAdminRecurringPlansPlanId',
  },
  params: RecurringPlanParams,
  reads: staff('sales:read'),
  // Subscriptions keep the prices of a plan that they began with.
  writes: staffNotSupport('sales:write'),
  returns: RecurringPlanView,
  view: (plan: RecurringPlanWithProducts, { currency }: Store) => viewRecurringPlan(plan, currency),
  tag: ({ plan }) => entityTag(plan),
  example,
})

/** The prices of a plan, and the products that are sold at them. */
const PRICES = ['price', 'trial', 'product_ids']

/** Throws `auth.forbidden` if staff set prices of a plan without the right that other prices need. */
function assertMaySetPrices(staff: RightsHolder, body: object): void {
  if (hasAnyField(body, PRICES)) assertMay(staff, 'catalog:write')
}

const NEEDS_CATALOG = '`price`, `trial` and `product_ids` also need the right `catalog:write`.'

export const listRecurringPlans = plans.list({
  summary: 'List recurring plans, inactive ones included',
  description: '`q` searches names.',
  query: RecurringPlanListQuery,
  handle: ({ tx, query }) => list(tx, query),
})

export const createRecurringPlan = plans.create({
  summary: 'Create a recurring plan',
  description:
    'A product of the plan can be bought once or by the plan. Then it is charged and sent every `duration` units, ' +
    '`cycle` times; 0: until it is canceled. `semi_month` is twice a month. A `trial` precedes the regular charges, ' +
    'with its own price, `duration` and `cycle`; an order takes at most its `max_quantity` units, 1 if omitted. ' +
    'Prices are of one unit, entered as the prices of products are; ' +
    `without a \`price\` each charge has the variant's price at checkout. ${NEEDS_CATALOG}`,
  body: CreateRecurringPlanRequest,
  errors: [RecurringPlanErrors.limitReached],
  example: { body: newRecurringPlanExample },
  async handle({ tx, store, staff, body }) {
    assertMaySetPrices(staff, body)
    await assertProducts(tx, body.product_ids ?? [])
    return create(tx, toNewPlan(body, store.currency))
  },
})

export const readRecurringPlan = plans.read({
  summary: 'Read a recurring plan',
  handle: ({ tx, params }) => findRecurringPlan(tx, params.plan_id),
})

export const updateRecurringPlan = plans.update({
  summary: 'Change, activate or deactivate a recurring plan',
  description:
    'Omitted fields keep their values; `trial` and `product_ids` are replaced. Carts have the new terms immediately. ' +
    'Subscriptions keep the terms that they began with. An inactive plan is not sold: a line of a cart that has it ' +
    `is not available. ${NEEDS_CATALOG}`,
  body: UpdateRecurringPlanRequest,
  errors: [RecurringPlanErrors.limitReached],
  example: { body: { is_active: false }, data: { ...example, is_active: false } },
  async handle({ tx, store, staff, params, body, ifMatch }) {
    assertMaySetPrices(staff, body)
    await assertProducts(tx, body.product_ids ?? [])
    return update(tx, params.plan_id, toPlanChanges(body, store.currency), ifMatch)
  },
})

export const deleteRecurringPlan = plans.delete({
  summary: 'Delete a recurring plan',
  description: 'Its subscriptions continue on the terms that they began with.',
  handle: ({ tx, params }) => remove(tx, params.plan_id),
})
