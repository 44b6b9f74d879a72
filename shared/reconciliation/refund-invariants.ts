import type { Invariant } from './invariant.ts'

/**
 * The rules of refunds, surpluses and disputes. Constraints of the tables enforce the others: 0 <= refunded <=
 * captured, at most one refund by the store in progress, and the limits of each amount in a row.
 */
export const REFUND_INVARIANTS: Invariant[] = [
  {
    name: 'refund.excess',
    sentence:
      'A refund has an excess only when neither its order nor the surplus of its payment has anything left. A ' +
      'mismatched payment, and money in another currency, do not pay the order.',
    sql: `
      select r.store_id, 'refunds ' || r.id as subject, 'no excess while something is left' as expected,
        r.excess_minor || ' excess, ' || (o.amount_captured_minor - o.amount_refunded_minor) || ' left of the order, '
          || coalesce(s.amount_minor - s.returned_minor, 0) || ' of the surplus' as found
      from refunds r
      join orders o on o.store_id = r.store_id and o.id = r.order_id
      left join payments p on p.store_id = r.store_id and p.id = r.payment_id
      left join surpluses s on s.store_id = r.store_id and s.payment_id = r.payment_id and r.origin <> 'store'
      where (r.status = 'succeeded' or r.kept_minor > 0) and r.excess_minor > 0
        and (s.amount_minor > s.returned_minor
          or (o.amount_captured_minor > o.amount_refunded_minor and r.currency = o.currency
            and p.status is distinct from 'mismatched'))`,
  },
  {
    name: 'payment.refunded',
    sentence: 'The gateway has paid back at most what it captured. A lost dispute is not limited by refunds.',
    sql: `
      with refunded as (
        select store_id, payment_id, sum(gateway_amount_minor) as amount
        from refunds where status = 'succeeded' and origin <> 'dispute' and payment_id is not null group by 1, 2)
      select p.store_id, 'payments ' || p.id as subject, 'at most ' || coalesce(p.captured_minor, 0) as expected,
        r.amount::text as found
      from refunded r join payments p on p.store_id = r.store_id and p.id = r.payment_id
      where r.amount > coalesce(p.captured_minor, 0)`,
  },
  {
    name: 'refund.currency',
    sentence: 'The gateway pays back in the currency that it captured.',
    sql: `
      select r.store_id, 'refunds ' || r.id as subject, p.captured_currency as expected, r.currency as found
      from refunds r join payments p on p.store_id = r.store_id and p.id = r.payment_id
      where r.currency <> p.captured_currency`,
  },
  {
    name: 'surplus.within_payment',
    sentence: 'A surplus is a part of a captured payment, in its currency.',
    sql: `
      select s.store_id, 'surpluses ' || s.id as subject,
        'at most ' || coalesce(p.captured_minor, 0) || ' ' || coalesce(p.captured_currency, p.currency) as expected,
        s.amount_minor || ' ' || s.currency || ' of a payment that is ' || p.status as found
      from surpluses s join payments p on p.store_id = s.store_id and p.id = s.payment_id
      where p.status <> 'captured' or s.amount_minor > p.captured_minor or s.currency <> p.captured_currency
        or s.order_id <> p.order_id`,
  },
  {
    name: 'surplus.returned',
    sentence:
      'The returned amount of a surplus is the sum of the parts of its succeeded refunds that return it.',
    sql: `
      with returned as (
        select store_id, surplus_id, sum(surplus_minor) as amount
        from refunds where status = 'succeeded' and surplus_id is not null group by 1, 2)
      select s.store_id, 'surpluses ' || s.id as subject, coalesce(r.amount, 0)::text as expected,
        s.returned_minor::text as found
      from surpluses s left join returned r on r.store_id = s.store_id and r.surplus_id = s.id
      where s.returned_minor <> coalesce(r.amount, 0)`,
  },
  {
    name: 'surplus.next_attempt',
    sentence:
      'A surplus that is owed has a time of its next attempt, or a refund in progress. Staff return one that no ' +
      'gateway captured.',
    sql: `
      select s.store_id, 'surpluses ' || s.id as subject, 'a next attempt or a refund in progress' as expected,
        (s.amount_minor - s.returned_minor) || ' owed' as found
      from surpluses s join payments p on p.store_id = s.store_id and p.id = s.payment_id
      where s.status = 'owed' and s.next_attempt_at is null and p.recorded_by is null and not exists (
        select 1 from refunds r
        where r.store_id = s.store_id and r.surplus_id = s.id and r.status in ('pending', 'requires_action'))`,
  },
  {
    name: 'dispute.booked',
    sentence: 'A lost dispute is booked as one refund of its amount, and no other dispute is.',
    sql: `
      select d.store_id, 'disputes ' || d.id as subject,
        case when d.status = 'lost' then d.amount_minor::text else 'none' end as expected,
        coalesce(r.amount_minor::text, 'none') as found
      from disputes d left join refunds r on r.store_id = d.store_id and r.dispute_id = d.id and r.status = 'succeeded'
      where case when d.status = 'lost' then d.amount_minor end is distinct from r.amount_minor`,
  },
]
