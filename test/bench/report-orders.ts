import { db } from '#shared/platform/db/db.ts'
import { inStore, type StoreTx } from '#shared/platform/db/store-scope.ts'
import { buildStore } from '#test/support/build.ts'
import { buildCustomer } from '#test/support/build-accounts.ts'
import { buildProduct } from '#test/support/build-catalog.ts'
import { buildCoupon } from '#test/support/build-coupons.ts'
import { buildShippingMethod } from '#test/support/build-settings.ts'
import { buildTaxClass, buildTaxRate } from '#test/support/build-taxes.ts'

const PRODUCTS = 300

/** Parts of the orders of a year, one of so many orders each. */
const EVERY = { guest: 5, coupon: 10, refund: 25, unpaid: 12, voucher: 200 }

/**
 * A store with this many orders in the last 365 days, two lines each, of a fifth as many customers: paid, refunded, with
 * coupons, taxes and gift vouchers. They are written in SQL, as rows that the service could have written.
 */
export async function fillYear(orders: number): Promise<{ id: string }> {
  const store = await buildStore({ country: 'DE', timeZone: 'Europe/Berlin' })
  const { id: classId } = await buildTaxClass(store, { isDefault: true })
  const { id: rateId } = await buildTaxRate(store, {
    percent: 19,
    taxClassId: classId,
    members: [{ country: 'DE' }],
  })
  for (let i = 0; i < PRODUCTS; i++) await buildProduct(store, { taxClassId: classId })
  const shipping = await buildShippingMethod(store)
  const coupon = await buildCoupon(store)
  const { id: customerId } = await buildCustomer(store)
  // They would note a million changes, one by one. Nothing is stored yet that could change.
  await db().raw('alter table orders disable trigger user; alter table refunds disable trigger user')
  await inStore(store.id, async (tx) => {
    await addCustomers(tx, customerId, Math.ceil(orders / 5))
    await addOrders(tx, orders, { classId, rateId, shippingId: shipping.id })
    await addRefunds(tx)
    await addCoupons(tx, coupon.id)
    await addVouchers(tx, Math.ceil(orders / EVERY.voucher))
  })
  await db().raw('alter table orders enable trigger user; alter table refunds enable trigger user')
  await db().raw(
    'vacuum analyze orders, order_items, refunds, refund_items, coupon_uses, customers, vouchers, voucher_entries',
  )
  return store
}

const addCustomers = ({ knex, storeId }: StoreTx, like: string, customers: number) =>
  knex.raw(
    `insert into customers (store_id, id, email, email_normalized, firstname, lastname, customer_group_id, created_at, updated_at)
     select ?, gen_random_uuid(), 'buyer-' || n || '@example.com', 'buyer-' || n || '@example.com', 'Ada', 'Lovelace ' || n,
       one.customer_group_id, now(), now()
     from (select customer_group_id from customers where id = ?) one, generate_series(1, ?::int) n`,
    [storeId, like, customers],
  )

async function addOrders(
  { knex, storeId }: StoreTx,
  orders: number,
  { classId, rateId, shippingId }: { classId: string; rateId: string; shippingId: string },
) {
  await knex.raw(`
    create temp table buyers on commit drop as select id, row_number() over (order by email) - 1 as place from customers;
    create index on buyers (place);
    create temp table goods on commit drop as
      select v.id, v.product_id, v.sku, row_number() over (order by v.sku) - 1 as place from product_variants v;
    create index on goods (place)`)
  // Lines of 10.00 net with 1.90 of tax, and shipping of 5.00 with 0.95.
  await knex.raw(
    `insert into orders (store_id, id, number, customer_id, status, currency, language, email, firstname, lastname, telephone,
       shipping_address, billing_address, shipping_method, payment_method, prices_include_tax, subtotal_minor, discount_minor,
       shipping_minor, shipping_tax_minor, shipping_tax_class_id, tax_minor, taxes, total_minor, amount_captured_minor,
       coupon_code, created_at, updated_at, paid_at)
     select ?, gen_random_uuid(), 'N' || n, case when n % ${EVERY.guest} > 0 then b.id end,
       case when n % ${EVERY.unpaid} = 0 then 'canceled' when n % 3 = 0 then 'shipped' else 'complete' end,
       'EUR', 'en', 'buyer-' || n || '@example.com', 'Ada', 'Lovelace', '+49 431 1234', address.value, address.value,
       jsonb_build_object('id', ?::text, 'code', 'parcel-' || n % 3, 'name', 'Parcel'),
       (array['card', 'bank_transfer', 'cash_on_delivery'])[1 + n % 3], false, 2000, 0, 500, 95, ?, 475,
       jsonb_build_array(jsonb_build_object('name', 'VAT', 'ratePpm', 190000, 'taxMinor', 475, 'netMinor', 2500,
         'taxClassId', ?::text, 'geoZoneId', null)),
       2975, case when n % ${EVERY.unpaid} = 0 then 0 else 2975 end, null, at, at,
       case when n % ${EVERY.unpaid} > 0 then at + interval '5 minutes' end
     from generate_series(1, ?::int) n
     left join buyers b on b.place = n % (select count(*) from buyers)
     cross join lateral (select now() - n * (interval '365 days' / ?::int) as at) as placed
     cross join lateral (select jsonb_build_object('firstname', 'Ada', 'lastname', 'Lovelace', 'address_1', 'Quay ' || n,
       'city', 'Kiel', 'postcode', '24103', 'country', (array['DE', 'AT', 'FR', 'NL'])[1 + n % 4]) as value) as address`,
    [storeId, shippingId, classId, classId, orders, orders],
  )
  await knex.raw(
    `insert into order_items (store_id, id, order_id, position, product_id, variant_id, name, sku, quantity, unit_price_minor,
       line_total_minor, tax_minor, total_minor, tax_class_id)
     select o.store_id, gen_random_uuid(), o.id, line, g.product_id, g.id, 'Stool', g.sku, 1, 1000, 1000, 190, 1190, ?
     from orders o cross join generate_series(0, 1) line
     join goods g on g.place = (substr(o.number, 2)::int * 7 + line * 31) % ${PRODUCTS}`,
    [classId],
  )
  if (!rateId) throw new Error('The store has no rate')
}

/** Refunds of the first line, a day after the payment. */
async function addRefunds({ knex }: StoreTx) {
  await knex.raw(`
    insert into refunds (store_id, id, order_id, status, amount_minor, gateway_amount_minor, voucher_amount_minor, currency,
      requested_by, created_at, settled_at)
    select store_id, gen_random_uuid(), id, 'succeeded', 1190, 0, 0, 'EUR', 'system', paid_at + interval '1 day',
      paid_at + interval '1 day'
    from orders where paid_at is not null and substr(number, 2)::int % ${EVERY.refund} = 0`)
  await knex.raw(`
    insert into refund_items (store_id, id, refund_id, order_item_id, quantity, amount_minor)
    select r.store_id, gen_random_uuid(), r.id, i.id, 1, 1190
    from refunds r join order_items i on i.order_id = r.order_id and i.position = 0`)
  await knex.raw(`update orders set amount_refunded_minor = 1190 where id in (select order_id from refunds)`)
}

const addCoupons = ({ knex }: StoreTx, couponId: string) =>
  knex.raw(
    `insert into coupon_uses (store_id, id, coupon_id, order_id, email_hash, discount_minor, currency, created_at)
     select store_id, gen_random_uuid(), ?, id, '\\x00', 0, 'EUR', created_at from orders
     where paid_at is not null and substr(number, 2)::int % ${EVERY.coupon} = 0`,
    [couponId],
  )

async function addVouchers({ knex, storeId }: StoreTx, vouchers: number) {
  await knex.raw(
    `insert into vouchers (store_id, id, sealed_code, code_hash, code_end, currency, amount_minor, entry_count, from_name, from_email, to_name,
       to_email, message, is_active, created_at, updated_at)
     select ?, gen_random_uuid(), '', sha256(n::text::bytea), '', 'EUR', 5000, 1, 'Ada', 'ada@example.com', 'Grace', 'grace@example.com',
       '', true, at, at
     from generate_series(1, ?::int) n
     cross join lateral (select now() - n * (interval '365 days' / ?::int) as at) as issued`,
    [storeId, vouchers, vouchers],
  )
  await knex.raw(`
    insert into voucher_entries (store_id, id, voucher_id, number, kind, amount_minor, balance_minor, actor, created_at)
    select store_id, gen_random_uuid(), id, 1, 'issue', 5000, 5000, 'system', created_at from vouchers`)
}
