import type { Invariant } from './invariant.ts'

/**
 * The rules of subscriptions and their charges. Indexes enforce the others: one open charge for each subscription, and
 * one order for each charge, so that two orders never pay the same charge.
 */
export const SUBSCRIPTION_INVARIANTS: Invariant[] = [
  {
    name: 'subscription.open_charge',
    sentence:
      'An open charge is of a subscription that has not ended and is not paused. Only a first order can be open ' +
      'after the end.',
    sql: `
      select c.store_id, 'subscription_charges ' || c.id as subject, 'settled' as expected,
        'open while the subscription is ' || s.status as found
      from subscription_charges c join subscriptions s on s.store_id = c.store_id and s.id = c.subscription_id
      where c.settled_at is null
        and (s.status in ('paused', 'completed') or (s.status in ('canceled', 'expired') and c.charge_no > 1))`,
  },
  {
    name: 'subscription.charge_numbers',
    sentence:
      'The charges are numbered from 1 without gaps, at most up to the next charge of the subscription. Until the ' +
      'subscription ends, all charges before the next one are settled.',
    sql: `
      with numbered as (
        select store_id, subscription_id, count(*) as charges, max(charge_no) as last,
          max(charge_no) filter (where settled_at is not null) as last_settled
        from subscription_charges group by 1, 2)
      select s.store_id, 'subscriptions ' || s.id as subject,
        'charges 1 to ' || (s.charge_no - 1) || ' settled' as expected,
        coalesce(n.charges, 0) || ' charges up to ' || coalesce(n.last, 0) || ', settled up to '
          || coalesce(n.last_settled, 0) as found
      from subscriptions s left join numbered n on n.store_id = s.store_id and n.subscription_id = s.id
      where coalesce(n.charges, 0) <> coalesce(n.last, 0)
        or coalesce(n.last, 0) not in (s.charge_no - 1, s.charge_no)
        or (s.ended_at is null and coalesce(n.last_settled, 0) <> s.charge_no - 1)`,
  },
  {
    name: 'subscription.order_of_charge',
    sentence:
      'The order of a charge has the number of the charge, and its subscription. A first order may have started ' +
      'several.',
    sql: `
      select c.store_id, 'subscription_charges ' || c.id as subject,
        c.charge_no || ' of ' || c.subscription_id as expected,
        coalesce(o.charge_no || ' of ' || o.subscription_id, 'an order of no subscription') as found
      from subscription_charges c join orders o on o.store_id = c.store_id and o.id = c.order_id
      where o.charge_no is distinct from c.charge_no
        or (c.charge_no > 1 and o.subscription_id is distinct from c.subscription_id)`,
  },
  {
    name: 'subscription.charge_of_order',
    sentence: 'An order of a subscription is the order of one of its charges.',
    sql: `
      select o.store_id, 'orders ' || o.id as subject, 'charge ' || o.charge_no as expected, 'no charge' as found
      from orders o join subscriptions s on s.store_id = o.store_id and s.id = o.subscription_id
      where not exists (
        select from subscription_charges c
        where c.store_id = o.store_id and c.subscription_id = o.subscription_id and c.order_id = o.id)`,
  },
  {
    name: 'subscription.awaited_payment',
    sentence: 'The payment that a charge awaits is of its order.',
    sql: `
      select c.store_id, 'subscription_charges ' || c.id as subject,
        coalesce(c.order_id::text, 'no order') as expected, coalesce(p.order_id::text, 'no payment') as found
      from subscription_charges c left join payments p on p.store_id = c.store_id and p.id = c.payment_id
      where c.payment_id is not null and p.order_id is distinct from c.order_id`,
  },
  {
    name: 'subscription.due',
    sentence:
      'A subscription that charges, or awaits its first payment, has a time at which the worker acts next.',
    sql: `
      select store_id, 'subscriptions ' || id as subject, 'a time' as expected, 'none while ' || status as found
      from subscriptions where status in ('pending', 'active', 'past_due') and due_at is null`,
  },
  {
    name: 'subscription.completed',
    sentence: 'A subscription is completed when no charge is left, and only then.',
    sql: `
      select store_id, 'subscriptions ' || id as subject,
        case when charges_left = 0 then 'completed' else 'not completed' end as expected,
        status || ' with ' || coalesce(charges_left::text, 'endless') || ' charges left' as found
      from subscriptions where (status = 'completed') <> (coalesce(charges_left, 1) = 0)`,
  },
]
