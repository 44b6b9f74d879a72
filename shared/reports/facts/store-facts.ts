import { CURRENT_STORE } from '#shared/platform/db/statement.ts'
import type { StoreTx } from '#shared/platform/db/store-scope.ts'
import { dateIn, now } from '#shared/platform/time/clock.ts'
import { readStore } from '#shared/stores/store.ts'
import { type Fact, packedFacts, startOfDay } from './fact.ts'
import { PRODUCT_FACTS } from './product-facts.ts'
import { SALES_FACTS } from './sales-facts.ts'
import { TAX_FACTS } from './tax-facts.ts'

export const FACTS: readonly Fact[] = [SALES_FACTS, PRODUCT_FACTS, TAX_FACTS]

const DAY_OF_CHANGE = '(at at time zone (:zone)::text)::date'

/** One worker at a time stores the facts of a store. */
async function lockFacts(tx: StoreTx): Promise<{ zone: string; today: string }> {
  await tx.knex.raw(`select pg_advisory_xact_lock(hashtextextended('report facts of ' || ?, 0))`, [
    tx.storeId,
  ])
  const { timeZone: zone } = await readStore(tx)
  return { zone, today: dateIn(zone, now()) }
}

/**
 * The past days (YYYY-MM-DD) whose facts are not stored or have changed, the latest first. Forgets the changes of days that
 * are not stored, e.g. of today: their facts are summed when a report is read.
 */
export async function findDaysToStore(tx: StoreTx): Promise<string[]> {
  const parameters = await lockFacts(tx)
  await tx.knex.raw(
    `delete from report_changes where ${DAY_OF_CHANGE} not in (select day from report_days where time_zone = (:zone)::text)`,
    parameters,
  )
  const { rows } = await tx.knex.raw<{ rows: { day: string }[] }>(
    `select day::text from (
       select generate_series(
         (select (min(paid_at) at time zone (:zone)::text)::date from orders where paid_at is not null)::timestamp,
         (:today)::date::timestamp - interval '1 day', '1 day')::date as day
       union
       select ${DAY_OF_CHANGE} from report_changes) as days
     where day < (:today)::date
       and (not exists (select from report_days s where s.day = days.day and s.time_zone = (:zone)::text)
         or day in (select ${DAY_OF_CHANGE} from report_changes))
     order by day desc`,
    parameters,
  )
  return rows.map(({ day }) => day)
}

/** Stores the facts of a past day. */
export async function storeFacts(tx: StoreTx, day: string): Promise<void> {
  const parameters = { ...(await lockFacts(tx)), day }
  // First: what is deleted here was committed, so the statements below see its changes. A later change stays, and with it
  // the day is summed anew.
  await tx.knex.raw(`delete from report_changes where ${DAY_OF_CHANGE} = (:day)::date`, parameters)
  await tx.knex.raw('delete from report_facts where day = (:day)::date', parameters)
  for (const fact of FACTS)
    await tx.knex.raw(
      `with days as materialized (
         select day, ${startOfDay('day', '(:zone)::text')} as starts, ${startOfDay('day + 1', '(:zone)::text')} as ends
         from (select (:day)::date as day) as one)
       insert into report_facts (store_id, fact, day, number, currency, status, keys, sums)
       select ${CURRENT_STORE}, '${fact.name}', day, row_number() over (), currency, status, keys, sums
       from (${packedFacts(fact, 'days')}) as packed`,
      parameters,
    )
  await tx.knex.raw(
    `insert into report_days (store_id, day, time_zone) values (${CURRENT_STORE}, (:day)::date, (:zone)::text)
     on conflict (store_id, day) do update set time_zone = excluded.time_zone`,
    parameters,
  )
}

/** Makes all days be summed anew. */
export async function forgetFacts(tx: StoreTx): Promise<void> {
  await lockFacts(tx)
  await tx.knex('report_days').delete()
}
