// The rows of a year, in SQL over the tables that `fillYear` makes. An order's number says its place: `N17`. Which part
// of the orders has a coupon, a refund and so on follows from the place.

const place = (order: string): string => `substr(${order}.number, 2)::int`

/**
 * Every twelfth order is unpaid, every fifth of a guest. Lines of 10.00 net with 1.90 of tax, and shipping of 5.00 with
 * 0.95.
 */
export const ORDERS = `
  insert into orders (store_id, id, number, customer_id, status, currency, language, email, firstname, lastname, telephone,
    shipping_address, billing_address, shipping_method, payment_method, prices_include_tax, subtotal_minor, discount_minor,
    shipping_minor, shipping_tax_minor, shipping_tax_class_id, tax_minor, taxes, total_minor, amount_captured_minor,
    amount_refunded_minor, campaign_id, affiliate_id, created_at, updated_at, paid_at)
  select store, uuidv7(at - now()), 'N' || n, case when n % 5 > 0 then b.id end,
    case when n % 12 = 0 then 'canceled' when n % 3 = 0 then 'shipped' else 'complete' end,
    'EUR', 'en', 'buyer-' || n || '@example.com', 'Ada', 'Lovelace', '+49 431 1234', address, address,
    jsonb_build_object('code', 'parcel-' || n % 3, 'name', 'Parcel'),
    (array['card', 'bank_transfer', 'cash_on_delivery'])[1 + n % 3], false, 2000, 0, 500, 95, class, 475,
    jsonb_build_array(jsonb_build_object('name', 'VAT', 'ratePpm', 190000, 'taxMinor', 475, 'netMinor', 2500,
      'taxClassId', class, 'geoZoneId', null)),
    2975, case when n % 12 > 0 then 2975 else 0 end, case when n % 12 > 0 and n % 25 = 7 then 1190 else 0 end,
    c.id, a.id, at, at, case when n % 12 > 0 then at + interval '5 minutes' end
  from given cross join generate_series(1, orders) n
  cross join lateral (select start + n * step as at) as placed
  cross join lateral (select jsonb_build_object('firstname', 'Ada', 'lastname', 'Lovelace', 'address_1', 'Quay ' || n,
    'city', 'Kiel', 'postcode', '24103', 'country', (array['DE', 'AT', 'FR', 'NL'])[1 + n % 4]) as address) as addresses
  join buyers b on b.place = (n::bigint * 7919 + n / 5) % buyers
  left join links c on n % 4 = 1 and c.kind = 'campaign' and c.place = n / 4 % 20
  left join links a on n % 10 = 3 and a.kind = 'affiliate' and a.place = n / 10 % 20
  order by n`

export const LINES = `
  insert into order_items (store_id, id, order_id, position, product_id, variant_id, name, sku, quantity, unit_price_minor,
    line_total_minor, tax_minor, total_minor, tax_class_id)
  select store, uuidv7(o.created_at - now()), o.id, line, g.product_id, g.id, 'Stool', g.sku, 1, 1000, 1000, 190, 1190, class
  from given join orders o on o.store_id = store cross join generate_series(0, 1) line
  join goods g on g.place = (${place('o')}::bigint * 7 + line * 31) % (select count(*) from goods)`

/** The first line of every 25th order is refunded, a day after the payment. */
export const REFUNDS = `
  insert into refunds (store_id, id, order_id, status, amount_minor, gateway_amount_minor, voucher_amount_minor, currency,
    requested_by, created_at, settled_at)
  select store, uuidv7(paid_at - now()), id, 'succeeded', 1190, 0, 0, 'EUR', 'system', paid_at + interval '1 day',
    paid_at + interval '1 day'
  from given join orders o on o.store_id = store where amount_refunded_minor > 0;
  insert into refund_items (store_id, id, refund_id, order_item_id, quantity, amount_minor)
  select store, gen_random_uuid(), r.id, i.id, 1, 1190
  from given join refunds r on r.store_id = store
  join order_items i on i.store_id = store and i.order_id = r.order_id and i.position = 0`

/** The goods of these refunds came back. */
export const RETURNS = `
  insert into returns (store_id, id, number, order_id, customer_id, status, action, requested_by, refund_id, approved_at,
    received_at, restocked_at, closed_at, created_at, updated_at)
  select store, uuidv7(settled_at - now()), 'R' || o.number, o.id, o.customer_id, 'completed', 'refund', 'system', r.id,
    at, r.settled_at, r.settled_at, r.settled_at, at, r.settled_at
  from given join refunds r on r.store_id = store join orders o on o.store_id = store and o.id = r.order_id
  cross join lateral (select o.paid_at + interval '1 hour' as at) as requested;
  insert into return_items (store_id, id, return_id, order_item_id, position, quantity, reason, disposition)
  select store, gen_random_uuid(), r.id, i.id, 0, 1, (array['unwanted', 'wrong_size', 'damaged'])[1 + i.unit_price_minor % 3],
    'restocked'
  from given join returns r on r.store_id = store
  join order_items i on i.store_id = store and i.order_id = r.order_id and i.position = 0`

/** Every tenth order uses a coupon. */
export const USES = `
  insert into coupon_uses (store_id, id, coupon_id, order_id, email_hash, discount_minor, currency, created_at)
  select store, uuidv7(o.created_at - now()), c.id, o.id, '\\x00', 0, 'EUR', o.created_at
  from given join orders o on o.store_id = store and ${place('o')} % 10 = 1
  join offers c on c.place = ${place('o')} / 10 % 20`

/** The commissions of the orders by affiliates' links: 5 % of the goods. */
export const ENTRIES = `
  insert into commission_entries (store_id, id, affiliate_id, number, kind, amount_minor, balance_minor, currency, order_id,
    payable_at, actor, created_at)
  select store, uuidv7(o.paid_at - now()), affiliate_id, nth, 'earned', 100, nth * 100, 'EUR', o.id,
    o.paid_at + interval '30 days', 'system', o.paid_at
  from given join (
    select *, row_number() over (partition by affiliate_id order by paid_at) as nth from orders
    where paid_at is not null and affiliate_id is not null) as o on o.store_id = store;
  update affiliates a set balance_minor = e.balance, entry_count = e.entries
  from (select store_id, affiliate_id, sum(amount_minor) as balance, count(*) as entries from commission_entries group by 1, 2) as e
  where a.store_id = e.store_id and a.id = e.affiliate_id`

/** A gift voucher by 20 orders, of which half were bought and used. The lines of their orders do not exist. */
export const VOUCHERS = `
  create temp table gifts as
    select uuidv7(at - now()) as id, n, at from given, generate_series(1, orders / 20) n
    cross join lateral (select start + n * 20 * step as at) as issued;
  insert into vouchers (store_id, id, sealed_code, code_hash, code_end, currency, amount_minor, spent_minor, entry_count,
    from_name, from_email, to_name, to_email, message, order_id, order_item_id, is_active, created_at, updated_at)
  select store, g.id, '', sha256(n::text::bytea), '', 'EUR', 5000, 1000 * (n % 2), 1 + 2 * (n % 2), 'Ada', 'ada@example.com', 'Grace',
    'grace@example.com', '', o.id, case when o.id is not null then gen_random_uuid() end, true, at, at
  from given cross join gifts g left join orders o on o.store_id = store and n % 2 = 1 and o.number = 'N' || n * 20 - 1;
  insert into voucher_entries (store_id, id, voucher_id, number, kind, amount_minor, balance_minor, actor, created_at)
  select store, gen_random_uuid(), id, number, kind, amount, balance, 'system', at
  from given, gifts cross join (values (1, 'issue', 5000, 5000), (2, 'reserve', 1000, 4000), (3, 'capture', 1000, 4000))
    as e (number, kind, amount, balance)
  where number = 1 or n % 2 = 1`

/** Ten visits by 1 order of a campaign's or an affiliate's link, with the rows of the last days. */
export const VISITS = `
  insert into campaign_visit_days (store_id, source_id, day, visits)
  select store, l.id, day::date, greatest(1, orders / 365 / 16) from given, links l,
    generate_series(current_date - 364, current_date, interval '1 day') day;
  insert into campaign_visits (store_id, source_id, day, visitor, clicked_at)
  select store, l.id, day::date, decode(md5(n::text), 'hex'), day
  from given, links l, generate_series(current_date - 2, current_date, interval '1 day') day,
    generate_series(1, greatest(1, orders / 365 / 16)) n`
