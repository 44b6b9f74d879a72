import type { Knex } from 'knex'
import { storeTable } from '#migrations/support/store-table.ts'

/** The stored sums of past days and months, which reports add up, and the changes of these days since. */
export async function up(knex: Knex) {
  // The days whose facts are stored, in the store's time zone. Days in another zone are not used.
  await storeTable(
    knex,
    'report_days',
    `day date not null,
     time_zone text not null,
     primary key (store_id, day)`,
  )
  // The months whose facts are stored as sums of their days, so that a year is read by twelve months.
  await storeTable(
    knex,
    'report_months',
    `month date not null,
     time_zone text not null,
     primary key (store_id, month)`,
  )
  await storeTable(
    knex,
    'report_facts',
    `fact text not null,
     span text not null check (span in ('day', 'month')),
     day date not null,
     number integer not null,
     currency char(3) not null,
     status text not null,
     keys text[] not null,
     sums bigint[] not null,
     -- A set of customers, by their report_number: a union counts each of them once.
     members bit(4096),
     primary key (store_id, span, day, fact, number)`,
  )
  await knex.raw(`
    alter table customers add report_number bigint not null generated always as identity;
    -- The first order of a customer, and what customers bought in a range, without the rows of the orders.
    create index orders_of_customer on orders (store_id, customer_id, paid_at, id)
      include (currency, status, amount_captured_minor) where paid_at is not null`)
  // A change of something that counts on the day of the time `at`, or on all days on which the customer bought. Rows
  // are only inserted and deleted, so writers never wait.
  await storeTable(
    knex,
    'report_changes',
    `id bigint not null generated always as identity,
     at timestamptz,
     customer_id uuid,
     primary key (store_id, id),
     check (num_nonnulls(at, customer_id) = 1)`,
  )
  await noteTimes(knex)
  await changesOfOrders(knex)
  await changesOfRefunds(knex)
  await changesOfReturns(knex)
  await changesOfCustomers(knex)
  await changesOfCoupons(knex)
  await createOpenDays(knex)
}

/**
 * Notes changes at many times, e.g. of the 500 refunds of an order. Only the first and the last time of each half day
 * are written, which are on all days that it overlaps in any time zone.
 */
async function noteTimes(knex: Knex) {
  await knex.raw(`
    create function note_times_in_reports(store uuid, times timestamptz[]) returns void language plpgsql as $$
    begin
      insert into report_changes (store_id, at)
      select store, unnest(array_remove(array[min(t.at), nullif(max(t.at), min(t.at))], null))
      from unnest(times) as t (at) where t.at is not null
      group by date_bin('12 hours', t.at, timestamptz '2000-01-01 00:00:00+00');
    end $$`)
}

// The triggers are in the database so that no writer of these tables can forget a report.

/**
 * Refunds and returns count with the status of their order, and the tax that they take off depends on its amounts. If
 * the first order of a customer changes, the next order may become the first, or no longer be it.
 */
async function changesOfOrders(knex: Knex) {
  await knex.raw(`
    create function note_order_in_reports() returns trigger language plpgsql as $$
    begin
      perform note_times_in_reports(new.store_id, array[new.paid_at, old.paid_at]
        || array(select r.settled_at from refunds r where r.store_id = new.store_id and r.order_id = new.id)
        || array(select x.received_at from returns x where x.store_id = new.store_id and x.order_id = new.id));
      if (new.customer_id, new.paid_at) is distinct from (old.customer_id, old.paid_at) then
        insert into report_changes (store_id, at)
        select new.store_id, first.paid_at
        from (values (new.customer_id, new.paid_at), (old.customer_id, old.paid_at)) as changed (customer_id, paid_at)
        cross join lateral (
          select p.paid_at from orders p
          where p.store_id = new.store_id and p.customer_id = changed.customer_id and p.paid_at is not null and p.id <> new.id
          order by p.paid_at, p.id limit 1) as first
        where first.paid_at >= changed.paid_at;
      end if;
      return null;
    end $$;
    create trigger report_orders_inserted after insert on orders for each row
      when (new.paid_at is not null) execute function note_order_in_reports();
    create trigger report_orders_changed after update on orders for each row
      when ((old.paid_at is not null or new.paid_at is not null) and (
        old.paid_at, old.status, old.currency, old.subtotal_minor, old.discount_minor, old.shipping_minor,
        old.shipping_tax_minor, old.tax_minor, old.total_minor, old.amount_captured_minor, old.voucher_minor,
        old.prices_include_tax, old.payment_method, old.taxes, old.shipping_method, old.shipping_tax_class_id,
        old.shipping_address ->> 'country', old.customer_id, old.amount_refunded_minor, old.campaign_id)
      is distinct from (
        new.paid_at, new.status, new.currency, new.subtotal_minor, new.discount_minor, new.shipping_minor,
        new.shipping_tax_minor, new.tax_minor, new.total_minor, new.amount_captured_minor, new.voucher_minor,
        new.prices_include_tax, new.payment_method, new.taxes, new.shipping_method, new.shipping_tax_class_id,
        new.shipping_address ->> 'country', new.customer_id, new.amount_refunded_minor, new.campaign_id))
      execute function note_order_in_reports();
  `)
}

/** The amounts that a refund takes off depend on the earlier refunds of its order, so a change concerns all of them. */
async function changesOfRefunds(knex: Knex) {
  await knex.raw(`
    create function note_refund_in_reports() returns trigger language plpgsql as $$
    begin
      perform note_times_in_reports(new.store_id, array[old.settled_at]
        || array(select r.settled_at from refunds r where r.store_id = new.store_id and r.order_id = new.order_id));
      return null;
    end $$;
    create trigger report_refunds_inserted after insert on refunds for each row
      when (new.settled_at is not null) execute function note_refund_in_reports();
    create trigger report_refunds_changed after update on refunds for each row
      when ((old.settled_at is not null or new.settled_at is not null) and (
        old.settled_at, old.status, old.amount_minor, old.surplus_minor, old.excess_minor, old.kept_minor,
        old.voucher_amount_minor, old.shipping_amount_minor)
      is distinct from (
        new.settled_at, new.status, new.amount_minor, new.surplus_minor, new.excess_minor, new.kept_minor,
        new.voucher_amount_minor, new.shipping_amount_minor))
      execute function note_refund_in_reports();
  `)
}

/** A return counts on the day of its request, and its goods on the day on which they arrive. */
async function changesOfReturns(knex: Knex) {
  await knex.raw(`
    create function note_return_in_reports() returns trigger language plpgsql as $$
    begin
      insert into report_changes (store_id, at)
      select new.store_id, times.at
      from (select new.created_at as at union select old.received_at union select new.received_at) as times
      where times.at is not null;
      return null;
    end $$;
    create trigger report_returns_inserted after insert on returns for each row
      execute function note_return_in_reports();
    create trigger report_returns_changed after update on returns for each row
      when ((old.status, old.action, old.received_at, old.restocked_at)
        is distinct from (new.status, new.action, new.received_at, new.restocked_at))
      execute function note_return_in_reports();
    create function note_return_item_in_reports() returns trigger language plpgsql as $$
    begin
      insert into report_changes (store_id, at)
      select r.store_id, times.at
      from (values (new.store_id, new.return_id), (old.store_id, old.return_id)) as item (store_id, return_id)
      join returns r on r.store_id = item.store_id and r.id = item.return_id
      cross join lateral (select r.created_at as at union select r.received_at) as times
      where times.at is not null;
      return null;
    end $$;
    create trigger report_return_items_changed after insert or update or delete on return_items for each row
      execute function note_return_item_in_reports();
  `)
}

/**
 * Sales by customer group are by the current group. A customer can have orders on all days of years, and change the
 * group every second, so a change is one row: the job that stores the facts finds the days.
 */
async function changesOfCustomers(knex: Knex) {
  await knex.raw(`
    create function note_group_in_reports() returns trigger language plpgsql as $$
    begin
      insert into report_changes (store_id, customer_id) values (new.store_id, new.id);
      return null;
    end $$;
    create trigger report_groups_changed after update on customers for each row
      when (old.customer_group_id is distinct from new.customer_group_id) execute function note_group_in_reports();
    -- The times of all that counts for the customers whose group has changed.
    create function report_group_changes() returns table (at timestamptz) language sql stable as $$
      select times.at
      from (select distinct customer_id from report_changes where customer_id is not null) moved
      cross join lateral (
        select o.id, o.paid_at from orders o where o.customer_id = moved.customer_id offset 0) o
      cross join lateral (
        select o.paid_at as at union all select r.settled_at from refunds r where r.order_id = o.id) times
      where times.at is not null
    $$`)
}

async function changesOfCoupons(knex: Knex) {
  await knex.raw(`
    create function note_coupon_use_in_reports() returns trigger language plpgsql as $$
    begin
      insert into report_changes (store_id, at)
      select o.store_id, o.paid_at from orders o
      where o.store_id = new.store_id and o.id = new.order_id and o.paid_at is not null;
      return null;
    end $$;
    create trigger report_coupon_uses_changed after insert or update on coupon_uses for each row
      execute function note_coupon_use_in_reports();
  `)
}

/**
 * Returns the days of a range whose facts are not stored or have changed, from the day of the first order. It is a
 * function, because its estimate of three rows is right. With a higher estimate, PostgreSQL would read all orders to
 * sum those of today.
 */
async function createOpenDays(knex: Knex) {
  await knex.raw(`
    create function report_open_days(date_from date, date_to date, zone text)
    returns table (day date, starts timestamptz, ends timestamptz) language plpgsql stable rows 3 as $$
    begin
      return query
      select asked.day, asked.day::timestamp at time zone zone, (asked.day + 1)::timestamp at time zone zone
      from (select generate_series(date_from::timestamp, date_to::timestamp, '1 day')::date as day) as asked
      where asked.day >= (select (min(o.created_at) at time zone zone)::date from orders o)
        and (not exists (select from report_days s where s.day = asked.day and s.time_zone = zone)
          or asked.day in (
            select (c.at at time zone zone)::date from report_changes c where c.at is not null
            union select (c.at at time zone zone)::date from report_group_changes() c));
    end $$`)
}
