import { EFFECT_OF_ENTRY, VOUCHER_ENTRY_KINDS } from '#shared/vouchers/states.ts'
import type { Invariant } from './invariant.ts'

/** SQL: the effect of each kind of ledger entry on the three amounts of its voucher. */
const EFFECT_ROWS = VOUCHER_ENTRY_KINDS.map((kind) => {
  const { amount, reserved, spent } = EFFECT_OF_ENTRY[kind]
  return `('${kind}', ${amount}, ${reserved}, ${spent})`
}).join(', ')

const BOOKED = `
  booked as (
    select e.*, effect.amount * e.amount_minor as amount, effect.reserved * e.amount_minor as reserved,
      effect.spent * e.amount_minor as spent
    from voucher_entries e
    join (values ${EFFECT_ROWS}) as effect (kind, amount, reserved, spent) on effect.kind = e.kind)`

const amounts = (columns: string[]): string =>
  columns.map((column) => `coalesce(${column}, 0)`).join(` || ' / ' || `)

/** Vouchers, compared with their ledgers, the orders that they pay and the refunds of their price. */
export const VOUCHER_INVARIANTS: Invariant[] = [
  {
    name: 'voucher.ledger',
    sentence: 'The amount, the reserved and the spent part of a voucher are the sums of its ledger.',
    sql: `
      with ${BOOKED}, summed as (
        select store_id, voucher_id, sum(amount) as amount, sum(reserved) as reserved, sum(spent) as spent
        from booked group by 1, 2)
      select v.store_id, 'vouchers ' || v.id as subject, ${amounts(['s.amount', 's.reserved', 's.spent'])} as expected,
        ${amounts(['v.amount_minor', 'v.reserved_minor', 'v.spent_minor'])} as found
      from vouchers v left join summed s on s.store_id = v.store_id and s.voucher_id = v.id
      where (v.amount_minor, v.reserved_minor, v.spent_minor)
        is distinct from (coalesce(s.amount, 0), coalesce(s.reserved, 0), coalesce(s.spent, 0))`,
  },
  {
    name: 'voucher.entry_numbers',
    sentence: 'The entries of a ledger are numbered from 1 without gaps.',
    sql: `
      with numbered as (
        select store_id, voucher_id, count(*) as entries, min(number) as first, max(number) as last
        from voucher_entries group by 1, 2)
      select v.store_id, 'vouchers ' || v.id as subject, '1 to ' || v.entry_count as expected,
        coalesce(n.entries || ' entries, ' || n.first || ' to ' || n.last, 'none') as found
      from vouchers v left join numbered n on n.store_id = v.store_id and n.voucher_id = v.id
      where (v.entry_count, 1, v.entry_count) is distinct from (n.entries, n.first, n.last)`,
  },
  {
    name: 'voucher.balance',
    sentence: 'The balance of each entry is the sum of the ledger up to it.',
    sql: `
      with ${BOOKED}, running as (
        select store_id, id, balance_minor,
          sum(amount - reserved - spent) over (partition by store_id, voucher_id order by number) as balance
        from booked)
      select store_id, 'voucher_entries ' || id as subject, balance::text as expected, balance_minor::text as found
      from running where balance_minor <> balance`,
  },
  {
    name: 'voucher.redeemed',
    sentence:
      'The reserved and the spent part of a voucher are what orders reserve and have spent, less refunds.',
    sql: `
      with redeemed as (
        select store_id, voucher_id, sum(amount_minor) filter (where status = 'reserved') as reserved,
          sum(amount_minor - refunded_minor) filter (where status = 'captured') as spent
        from voucher_redemptions group by 1, 2)
      select v.store_id, 'vouchers ' || v.id as subject, ${amounts(['r.reserved', 'r.spent'])} as expected,
        ${amounts(['v.reserved_minor', 'v.spent_minor'])} as found
      from vouchers v left join redeemed r on r.store_id = v.store_id and r.voucher_id = v.id
      where (v.reserved_minor, v.spent_minor) is distinct from (coalesce(r.reserved, 0), coalesce(r.spent, 0))`,
  },
  {
    name: 'voucher.redemption_amount',
    sentence: "An order's voucher part is the amount of its redemption.",
    sql: `
      select o.store_id, 'orders ' || o.id as subject, o.voucher_minor::text as expected,
        coalesce(r.amount_minor, 0)::text as found
      from orders o left join voucher_redemptions r on r.store_id = o.store_id and r.order_id = o.id
      where o.voucher_minor <> coalesce(r.amount_minor, 0)`,
  },
  {
    name: 'voucher.redemption_status',
    sentence:
      'A redemption is captured by a paid order, and reserved or released by an unpaid one; released once it ends.',
    sql: `
      select r.store_id, 'voucher_redemptions ' || r.id as subject,
        case when o.amount_captured_minor > 0 then 'captured'
          when o.status in ('canceled', 'refunded') then 'released'
          when o.status in ('pending', 'failed') then 'reserved or released' else 'reserved' end as expected,
        r.status as found
      from voucher_redemptions r join orders o on o.store_id = r.store_id and o.id = r.order_id
      where r.status <> all (case when o.amount_captured_minor > 0 then '{captured}'::text[]
        when o.status in ('canceled', 'refunded') then '{released}'
        when o.status in ('pending', 'failed') then '{reserved,released}' else '{reserved}' end)`,
  },
  {
    name: 'voucher.bought',
    sentence: 'A bought voucher awaits its payment until its order is paid, and no longer.',
    sql: `
      select v.store_id, 'vouchers ' || v.id as subject,
        case when o.amount_captured_minor > 0 then 'paid' else 'awaits payment' end as expected,
        case when v.awaits_payment then 'awaits payment' else 'paid' end as found
      from vouchers v
      join order_items i on i.store_id = v.store_id and i.id = v.order_item_id
      join orders o on o.store_id = i.store_id and o.id = i.order_id
      where v.awaits_payment <> (o.amount_captured_minor = 0)`,
  },
  {
    name: 'voucher.refunded',
    sentence:
      "The amount refunded to an order's voucher is the sum of the voucher parts of its succeeded refunds and of the " +
      'parts that failed refunds left there.',
    sql: `
      with refunded as (
        select store_id, order_id,
          sum(case when status = 'succeeded' then voucher_amount_minor else kept_minor end) as amount
        from refunds group by 1, 2)
      select v.store_id, 'voucher_redemptions ' || v.id as subject, coalesce(r.amount, 0)::text as expected,
        v.refunded_minor::text as found
      from voucher_redemptions v
      left join refunded r on r.store_id = v.store_id and r.order_id = v.order_id
      where v.refunded_minor <> coalesce(r.amount, 0)`,
  },
  {
    name: 'voucher.credited',
    sentence: 'A refund by credit has issued a voucher of its amount.',
    sql: `
      select r.store_id, 'refunds ' || r.id as subject, r.credit_minor::text as expected,
        coalesce(e.amount_minor, 0)::text as found
      from refunds r
      left join returns rma on rma.store_id = r.store_id and rma.refund_id = r.id
      left join voucher_entries e on e.store_id = rma.store_id and e.voucher_id = rma.voucher_id and e.kind = 'issue'
      where r.credit_minor <> coalesce(e.amount_minor, 0)`,
  },
  {
    name: 'voucher.withdrawn',
    sentence:
      "A withdrawal of a voucher's price is undone exactly if its refund failed. A failed refund that keeps a part " +
      'paid back may leave it in force.',
    sql: `
      select w.store_id, 'voucher_withdrawals ' || w.id as subject,
        case when r.status in ('failed', 'canceled') then 'undone' else 'in force' end as expected,
        case when w.is_undone then 'undone' else 'in force' end as found
      from voucher_withdrawals w join refunds r on r.store_id = w.store_id and r.id = w.refund_id
      where w.is_undone <> (r.status in ('failed', 'canceled')) and (w.is_undone or r.kept_minor = 0)`,
  },
  {
    name: 'voucher.price_refunded',
    sentence:
      'What the refunds of an order pay beyond its goods and shipping is withdrawn from the vouchers that it bought.',
    sql: `
      with prices as (
        select i.store_id, i.order_id, sum(i.line_total_minor) as amount
        from order_items i join vouchers v on v.store_id = i.store_id and v.order_item_id = i.id group by 1, 2),
      withdrawn as (
        select w.store_id, r.order_id, sum(w.price_minor) as amount
        from voucher_withdrawals w join refunds r on r.store_id = w.store_id and r.id = w.refund_id
        where not w.is_undone group by 1, 2)
      select o.store_id, 'orders ' || o.id as subject,
        'at least ' || (o.amount_refunded_minor - o.amount_captured_minor + p.amount) || ' withdrawn' as expected,
        coalesce(w.amount, 0)::text as found
      from orders o
      join prices p on p.store_id = o.store_id and p.order_id = o.id
      left join withdrawn w on w.store_id = o.store_id and w.order_id = o.id
      where o.amount_captured_minor > 0 and o.amount_refunded_minor > 0
        and coalesce(w.amount, 0) < o.amount_refunded_minor - o.amount_captured_minor + p.amount`,
  },
]
